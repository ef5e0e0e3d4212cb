/** For tests of the shared counters: one of the processes that count in a database. */
import { onTestFinished } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { recordedLog } from '#service/process/testing-log.ts';
import { openSharedCounters } from './shared-counters.ts';

/** The windows of the database use real time. This one outlasts every test. */
export const HOUR_MS = 3_600_000;

export async function countingProcess(database: string, name = 'address', points = 100) {
  const { log, texts, messages } = recordedLog('info');
  const clock = manualClock();
  // A busy machine answers late. No test here is about that.
  const { count, close } = await openSharedCounters({ database, clock, log, countTimeoutMs: 60_000 });
  let isOpen = true;
  const closeOnce = async () => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(closeOnce);
  const limit = count({ name, points, durationSeconds: HOUR_MS / 1_000 });
  /** Undefined, or how long to wait in milliseconds. */
  const take = (key: string, amount: number): Promise<number | undefined> =>
    limit.consume(key, amount).then(
      () => undefined,
      (refused: { msBeforeNext: number }) => refused.msBeforeNext,
    );
  return { texts, messages, clock, close: closeOnce, take };
}
