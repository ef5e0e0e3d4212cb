/**
 * Deletes rows that expired long ago, in small batches between requests and never inside one (decision 12).
 */
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import type { Log } from './log.ts';

/** Deletes at most `limit` rows of one kind that expired before `before` (ms). Returns their number. */
export type PurgeBatch = (before: number, limit: number) => number | Promise<number>;

/** One kind of rows, and how long each is kept after it expired. */
export type Purge = { retentionMs: number; batch: PurgeBatch };

export type PurgeParts = {
  purges: readonly Purge[];
  clock: Clock;
  log: Log;
  /** Called with the number of deleted rows. */
  onPurge?: ((rows: number) => void) | undefined;
};

const INTERVAL_MS = 60_000;
const ROWS_PER_BATCH = 100;

/**
 * Purge once a minute.
 * @returns a function that stops purging, and resolves when a purge under way is done
 */
export function startPurge({ purges, clock, log, onPurge }: PurgeParts): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  let cancel: () => void = () => undefined;
  const purgeAll = async () => {
    let total = 0;
    for (const { retentionMs, batch } of purges) {
      for (let last = ROWS_PER_BATCH; last >= ROWS_PER_BATCH && !stopped; ) {
        const start = systemClock.now();
        last = await batch(clock.now() - retentionMs, ROWS_PER_BATCH);
        total += last;
        if (last >= ROWS_PER_BATCH) await rest(systemClock.now() - start);
      }
    }
    onPurge?.(total);
    if (total > 0) log.info({ purged: total }, 'purged expired rows');
  };
  const arm = () => {
    cancel = clock.after(INTERVAL_MS, () => {
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

/** Leave the machine to the requests for as long as a batch took, in real time. */
function rest(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(ms, resolve));
}
