/** Logs that something is unavailable and when it is back: now and then, not once for each failing call. */
import { systemClock } from '#protocol/time/clock.ts';
import type { Log } from './log.ts';

export type OutageLog = {
  /** Note a call that failed because of the outage. */
  failed(cause: unknown): void;
  /** Note a call that succeeded. */
  answered(): void;
};

export type OutageWords = {
  away: string;
  back: string;
  /** The outage is over once nothing has failed for this long: for what fails and succeeds by turns. */
  quietMs?: number;
};

/** An outage is logged once in this time while it lasts. */
const LOG_INTERVAL_MS = 10_000;

/** Create the log of one kind of outage. It uses real time, because an outage concerns the machine. */
export function outageLog(log: Log | undefined, { away, back, quietMs = 0 }: OutageWords): OutageLog {
  let toldAt: number | undefined;
  let failedAt = 0;
  let calls = 0;
  return {
    failed(err) {
      calls++;
      failedAt = systemClock.now();
      if (toldAt !== undefined && Math.abs(failedAt - toldAt) < LOG_INTERVAL_MS) return;
      toldAt = failedAt;
      log?.error({ err, calls }, away);
    },
    answered() {
      if (toldAt === undefined || Math.abs(systemClock.now() - failedAt) < quietMs) return;
      log?.info({ calls }, back);
      toldAt = undefined;
      calls = 0;
    },
  };
}
