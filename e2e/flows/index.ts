/** All flows that any three parties can play, in the order of their telling. */
import { ending } from './ending.ts';
import type { Flow } from './flow.ts';
import { linking } from './linking.ts';
import { refusals } from './refusals.ts';

const groups = { linking, ending, refusals };

export const flows: readonly Flow[] = Object.values(groups).flat();

/** The file of a flow, relative to the root of the project. */
export function fileOf(flow: Flow): string {
  const [group] = Object.entries(groups).find(([, members]) => members.includes(flow)) ?? [];
  return `e2e/flows/${group}.ts`;
}
