/** Deletes what expired long ago, in small batches between requests and never inside one (decision 12). */
import type { Clock } from '#protocol/clock.ts';
import type { Log } from '#service/log.ts';
import type { Store } from './store.ts';

const INTERVAL = 60_000;
const BATCH = 500;

/**
 * Purges once a minute what expired more than `retention` milliseconds ago.
 * @returns stops it, and resolves when a purge under way is done
 */
export function startPurge(store: Store, clock: Clock, retention: number, log: Log): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  let cancel: () => void = () => undefined;
  const purgeAll = async () => {
    let purged = 0;
    let last = BATCH;
    while (!stopped && last >= BATCH) {
      last = await store.purge(clock.now() - retention, BATCH);
      purged += last;
    }
    if (purged > 0) log.info({ purged }, 'purged expired rows');
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
    cancel();
    return running;
  };
}
