/**
 * The sentences that findings use when the server under test died. All checks use the same words, so that a
 * report shows the death as one cause and not as many.
 */
import type { ServerEntry } from './entry.ts';

/** Why a scenario was not played after the server had died for good. */
export const SERVER_GONE = 'the server under test is gone, so this was not played';

/** @example 'the server under test died meanwhile: it ended with code 1' */
export function diedMeanwhile({ ended }: ServerEntry): string {
  return `the server under test died meanwhile: it ${ended ?? 'ended'}`;
}
