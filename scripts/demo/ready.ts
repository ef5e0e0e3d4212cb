/** Waiting until every party answers. */
import { progress } from '../progress.mjs';
import type { Party } from './parties.ts';

const EVERY = 100;
const LIMIT = 60_000;

/**
 * Resolves once every party has answered its readiness page with 200.
 * @throws Error naming those that have not after a minute; the reason of `signal` when it fires
 */
export async function untilReady(parties: readonly Party[], signal: AbortSignal): Promise<void> {
  const shown = progress('Starting', { quietFor: 2_000 });
  const waiting = new Set(parties);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(LIMIT)]);
  try {
    while (true) {
      for (const party of [...waiting]) if (await isReady(party, deadline)) waiting.delete(party);
      deadline.throwIfAborted();
      if (waiting.size === 0) break;
      shown.note(`waiting for ${[...waiting].map(({ title }) => title).join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
  } catch (cause) {
    signal.throwIfAborted();
    const silent = [...waiting].map(({ title, readyUrl }) => `${title} (${readyUrl})`).join(', ');
    throw new Error(`Failed to start: no answer within ${LIMIT / 1_000} seconds from ${silent}.`, { cause });
  } finally {
    shown.clear();
  }
}

async function isReady({ readyUrl }: Party, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(readyUrl, { signal });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    // Not listening yet, or cut by the signal, which the caller looks at.
    return false;
  }
}
