/** Keeps the run below the rate of requests that the server under test accepts from one address. */

/** Waits in real time. */
type Sleeping = { sleep(ms: number): Promise<unknown> };

export class RequestBudget {
  readonly #intervalMs: number;
  readonly #clock: { now(): number };
  readonly #time: Sleeping;
  /** The earliest time of the next request. */
  #nextAt = 0;

  /** @param perSecond requests a second that the adapter file states; no limit unless given */
  constructor(perSecond: number | undefined, clock: { now(): number }, time: Sleeping) {
    this.#intervalMs = perSecond === undefined ? 0 : 1_000 / perSecond;
    this.#clock = clock;
    this.#time = time;
  }

  /**
   * Waits until `count` requests may be sent at the same moment. Waits in real time: a limiter often stands
   * before the server and has its own clock.
   */
  async take(count = 1): Promise<void> {
    if (this.#intervalMs === 0) return;
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt) + (count - 1) * this.#intervalMs;
    this.#nextAt = at + this.#intervalMs;
    if (at > now) await this.#time.sleep(at - now);
  }
}
