/** What the parties of a test are opened with: the machine's clock, and nobody to ask. */

import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import type { PartiesParts } from '../parties/open.ts';

export function partiesParts(): PartiesParts {
  return {
    clock: systemClock,
    random: systemRandom,
    env: process.env,
    signal: new AbortController().signal,
    tell: () => undefined,
    ask: async () => undefined,
  };
}
