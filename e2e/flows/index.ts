/** All flows that any three parties can play, in the order of their telling. */
import { ending } from './ending.ts';
import type { Flow } from './flow.ts';
import { linking } from './linking.ts';
import { refusals } from './refusals.ts';
import { restarts } from './restarts.ts';

const groups = { linking, ending, refusals, restarts };

export const flows: readonly Flow[] = Object.values(groups).flat();

/** The flows that are played on the page of our web client: those that lead to every screen of it. */
export const flowsOnPage: readonly string[] = [
  ...['first-link', 'returning-user', 'exchange-token-expired', 'wrong-details', 'wrong-code'],
  ...['disconnect', 'delete-account'],
];

export function fileOf(flow: Flow): string {
  const [group] = Object.entries(groups).find(([, members]) => members.includes(flow)) ?? [];
  return `e2e/flows/${group}.ts`;
}

export function chosenFlows(names: readonly string[], grep?: string): readonly Flow[] | string {
  const unknown = names.find((name) => !flows.some((flow) => flow.name === name));
  const all = flows.map(({ name }) => name).join(', ');
  if (unknown !== undefined) return `There is no flow ${unknown}. The flows are ${all}.`;
  const named = names.length === 0 ? flows : flows.filter(({ name }) => names.includes(name));
  const chosen = named.filter(({ sentence }) => grep === undefined || sentence.includes(grep));
  return chosen.length > 0 ? chosen : `No flow has "${grep}" in its sentence. The flows are ${all}.`;
}
