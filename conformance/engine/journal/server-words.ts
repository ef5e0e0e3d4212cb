/** Sentences on a server under test that died: equal everywhere, so that it counts as one cause. */
import type { ServerEntry } from './entry.ts';

export const SERVER_GONE = 'the server under test is gone, so this was not played';

/** @example 'the server under test died meanwhile: it ended with code 1' */
export function diedMeanwhile({ ended }: ServerEntry): string {
  return `the server under test died meanwhile: it ${ended ?? 'ended'}`;
}
