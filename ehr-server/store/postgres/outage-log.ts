/** Says in the log that the database is away, and when it is back: once in a while, and not for every call that meets it. */
import { systemClock } from '#protocol/clock.ts';
import type { Log } from '#service/log.ts';
import { DatabaseAway } from './errors.ts';

export type OutageLog = {
  /** Takes the cause, and returns what callers are told. */
  failed(cause: unknown): DatabaseAway;
  answered(): void;
};

/** While it lasts, an outage is told of this often, in milliseconds. */
const INTERVAL = 10_000;

/** Real time, whatever time the server is told: it is about the machine. */
export function outageLog(log: Log | undefined): OutageLog {
  let toldAt: number | undefined;
  let calls = 0;
  return {
    failed(err) {
      calls++;
      const now = systemClock.now();
      if (toldAt === undefined || Math.abs(now - toldAt) >= INTERVAL) {
        toldAt = now;
        log?.error({ err, calls }, 'the database does not answer');
      }
      return new DatabaseAway();
    },
    answered() {
      if (toldAt === undefined) return;
      log?.info({ calls }, 'the database answers again');
      toldAt = undefined;
      calls = 0;
    },
  };
}
