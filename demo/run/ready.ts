/** Waits until every party answers. */
import { progress } from '#scripts/set-up/progress.mjs';
import type { Party } from './parties.ts';

const POLL_INTERVAL_MS = 100;
const START_TIMEOUT_MS = 60_000;

/**
 * Resolves once every party has answered its readiness pages with 200.
 * @throws Error naming those that have not after a minute; the reason of `signal` when it fires
 */
export async function untilReady(parties: readonly Party[], signal: AbortSignal): Promise<void> {
  const shown = progress('Starting', { quietFor: 2_000 });
  const waiting = new Set(parties);
  // Not AbortSignal.timeout: within AbortSignal.any, Node 20 may collect it as garbage before it fires.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), START_TIMEOUT_MS);
  const deadline = AbortSignal.any([signal, limit.signal]);
  try {
    while (true) {
      await Promise.all(
        [...waiting].map(async (party) => {
          if (await isReady(party, deadline)) waiting.delete(party);
        }),
      );
      deadline.throwIfAborted();
      if (waiting.size === 0) break;
      shown.note(`waiting for ${[...waiting].map(({ title }) => title).join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  } catch (cause) {
    signal.throwIfAborted();
    const silent = [...waiting].map(({ title, readyUrls }) => `${title} (${readyUrls.join(', ')})`).join(', ');
    throw new Error(`Failed to start: no answer within ${START_TIMEOUT_MS / 1_000} seconds from ${silent}.`, { cause });
  } finally {
    clearTimeout(timer);
    shown.clear();
  }
}

async function isReady({ readyUrls }: Party, signal: AbortSignal): Promise<boolean> {
  try {
    const responses = await Promise.all(readyUrls.map((url) => fetch(url, { signal })));
    await Promise.all(responses.map(({ body }) => body?.cancel()));
    return responses.every(({ status }) => status === 200);
  } catch {
    // The party is not listening yet, or the signal has fired, which the caller checks.
    return false;
  }
}
