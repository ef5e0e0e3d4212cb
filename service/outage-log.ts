/** Says in the log that something is away, and when it is back: once in a while, and not for every call that meets it. */
import { systemClock } from '#protocol/clock.ts';
import type { Log } from './log.ts';

/** A failure whose cause is told by an {@link outageLog}, and so not again in the line of each call that meets it. */
export class Unavailable extends Error {
  override name = 'Unavailable';

  constructor(message: string) {
    super(message);
    // Where a call met it says nothing of why.
    this.stack = `${this.name}: ${message}`;
  }
}

export type OutageLog = {
  /** Takes note of a call that met the outage. */
  failed(cause: unknown): void;
  /** Takes note of one that succeeded. */
  answered(): void;
};

export type OutageWords = {
  away: string;
  back: string;
  /** How long, in milliseconds, nothing has to fail until the outage is over: for what fails and succeeds in turn. */
  quietMs?: number;
};

/** While it lasts, an outage is told of this often, in milliseconds. */
const LOG_INTERVAL_MS = 10_000;

/** Real time, whatever time the party is told: it is about the machine. */
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
