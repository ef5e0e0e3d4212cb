/**
 * Delays the kit's requests so that it stays below the rate that the server under test accepts from one
 * address (`server.requestsPerSecond` in its adapter file).
 */

/** Waits in real time, and not by the clock that the kit can move forward. */
type Sleeping = { sleep(ms: number): Promise<unknown> };

/** Each request of the kit to the server first takes its turn here. */
export class RequestBudget {
  readonly #intervalMs: number;
  readonly #clock: { now(): number };
  readonly #time: Sleeping;
  /** The earliest time of the next request, in milliseconds. */
  #nextAt = 0;

  /** @param perSecond requests a second that the adapter file states; undefined: no limit */
  constructor(perSecond: number | undefined, clock: { now(): number }, time: Sleeping) {
    this.#intervalMs = perSecond === undefined ? 0 : 1_000 / perSecond;
    this.#clock = clock;
    this.#time = time;
  }

  /**
   * Waits until `count` requests may be sent at the same moment. Waits in real time, because often a proxy
   * with its own clock limits the requests, and not the server.
   */
  async take(count = 1): Promise<void> {
    if (this.#intervalMs === 0) return;
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt) + (count - 1) * this.#intervalMs;
    this.#nextAt = at + this.#intervalMs;
    if (at > now) await this.#time.sleep(at - now);
  }
}
