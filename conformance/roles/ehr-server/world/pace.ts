/** How fast the EHR server answers, and what time it is there. A slow server is no fault. */
import { ScenarioStopped } from '../../../engine/check/playing.ts';

/** Where the end of a lifetime is near, the kit stays so far away from it: on a fast server, in ms. */
const MIN_MARGIN_MS = 3_000;
/** On a slow server the margin has room for so many calls. */
const CALLS_IN_MARGIN = 3;
const MINUTE_MS = 60_000;

/** The lifetime of something that the server stored, as a time of the server, in ms. */
export type Lifetime = {
  /** When the call was sent that stored it. The lifetime ends no earlier than counted from here. */
  readonly sentAt: number;
  /** When that call was answered. The lifetime ends no later than counted from here. */
  readonly answeredAt: number;
  readonly ms: number;
};

export class Pace {
  readonly #now: () => number;
  #movedMs = 0;
  #slowestMs = 0;
  #underWay = 0;
  /** Whether a call waits for those before it, as the doctor found. */
  isOneAtATime = false;
  /** How long one call takes, in ms, as the doctor measured it. */
  callMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  now(): number {
    return this.#now() + this.#movedMs;
  }

  moved(ms: number): void {
    this.#movedMs += ms;
  }

  /** Where the server serves one call at a time, a call may also wait for all that are under way. */
  async measured<T>(limitMs: number, call: (limitMs: number) => Promise<T>): Promise<T> {
    const begun = this.#now();
    const ahead = ++this.#underWay;
    try {
      return await call(this.isOneAtATime ? limitMs * ahead : limitMs);
    } finally {
      this.#underWay--;
      // Calls at the same moment wait for each other, and say nothing about one.
      if (ahead === 1) this.#slowestMs = Math.max(this.#slowestMs, this.#now() - begun);
    }
  }

  async stored<T>(minutes: number, store: () => Promise<T>): Promise<T & { lifetime: Lifetime }> {
    const sentAt = this.now();
    const stored = await store();
    return { ...stored, lifetime: { sentAt, answeredAt: this.now(), ms: minutes * MINUTE_MS } };
  }

  untilBefore({ sentAt, ms }: Lifetime): number {
    return sentAt + ms - Math.max(MIN_MARGIN_MS, CALLS_IN_MARGIN * this.#slowestMs) - this.now();
  }

  untilAfter({ answeredAt, ms }: Lifetime): number {
    return answeredAt + ms + MIN_MARGIN_MS / 3 - this.now();
  }

  /** @throws ScenarioStopped where the server may have been right to refuse the last call */
  requireAlive({ sentAt, ms }: Lifetime): void {
    const late = this.now() - sentAt - ms;
    if (late < 0) return;
    const slowest = `the slowest call took ${this.#slowestMs} ms`;
    throw new ScenarioStopped(
      `the calls take too long to judge the end of a lifetime (${slowest})`,
      'environment',
    );
  }
}
