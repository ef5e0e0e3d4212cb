/** Deletes what ran out long ago, in small batches between requests and never inside one (decision 12). */
import type { Clock } from '#protocol/clock.ts';
import type { Log } from '#service/log.ts';
import type { Store } from './store.ts';

/** A code is remembered this long after it expired, so that a late user is told that it did. */
export const CODE_RETENTION = 60 * 60_000;
/** A session is remembered this long after its end, so that its holder is told that it expired. */
export const SESSION_RETENTION = 30 * 86_400_000;

const INTERVAL = 60_000;
const BATCH = 500;

/**
 * Purges once a minute.
 * @returns stops it, and resolves when a purge under way is done
 */
export function startPurge(store: Store, clock: Clock, log: Log): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  let cancel: (() => void) | undefined;
  const purgeBatch = () => {
    const now = clock.now();
    const codes = store.codes.purge(now - CODE_RETENTION, BATCH);
    const sessions = store.sessions.purge(now - SESSION_RETENTION, BATCH);
    return { purged: codes + sessions, more: codes === BATCH || sessions === BATCH };
  };
  const purgeAll = async () => {
    let total = 0;
    for (let more = true; more && !stopped; ) {
      const batch = purgeBatch();
      total += batch.purged;
      more = batch.more;
      // Requests that have come in go first.
      await new Promise(setImmediate);
    }
    if (total > 0) log.info({ purged: total }, 'purged expired rows');
  };
  const arm = () => {
    cancel = clock.after(INTERVAL, () => {
      running = purgeAll()
        .catch((err: unknown) => log.error({ err }, 'purge failed'))
        .finally(() => {
          if (!stopped) arm();
        });
    });
  };
  arm();
  return () => {
    stopped = true;
    cancel?.();
    return running;
  };
}
