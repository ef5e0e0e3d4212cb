import { progress } from '#scripts/set-up/progress.mjs';
import type { DemoParty } from './parties.ts';

const POLL_INTERVAL_MS = 100;
const START_TIMEOUT_MS = 60_000;
/** Time for one answer: a party that accepts and is silent is asked again. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Throws an Error naming those that have not answered 200 after a minute, or the reason of `signal`. */
export async function untilReady(parties: readonly DemoParty[], signal: AbortSignal): Promise<void> {
  const shown = progress('Starting', { quietFor: 2_000 });
  const begun = performance.now();
  try {
    for (let waiting = parties; ; await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))) {
      const ready = await Promise.all(waiting.map(isReady));
      signal.throwIfAborted();
      waiting = waiting.filter((_party, index) => !ready[index]);
      if (waiting.length === 0) return;
      const silent = waiting.map(({ title, readyUrls }) => `${title} (${readyUrls.join(', ')})`).join(', ');
      if (performance.now() - begun > START_TIMEOUT_MS)
        throw new Error(
          `Failed to start: no answer within ${START_TIMEOUT_MS / 1_000} seconds from ${silent}.`,
        );
      shown.note(`waiting for ${waiting.map(({ title }) => title).join(', ')}`);
    }
  } finally {
    shown.clear();
  }
}

async function isReady({ readyUrls }: DemoParty): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const responses = await Promise.all(readyUrls.map((url) => fetch(url, { signal })));
    await Promise.all(responses.map(({ body }) => body?.cancel()));
    return responses.every(({ status }) => status === 200);
  } catch {
    // The party is not listening yet.
    return false;
  }
}
