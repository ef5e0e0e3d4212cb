/**
 * Finds out how a server answers: a quick one, and one that waits on purpose, can serve more scenarios at the
 * same time. Keeps the requests of the kit below the rate that the server accepts from one address.
 */
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';

/** With faster answers than this (ms), a run is short enough without more scenarios at the same time. */
const MIN_SLOW_ANSWER_MS = 300;

/** Up to this ratio of the median to the shortest answer, answers take equally long: the server waits. */
const MAX_MEDIAN_RATIO = 1.5;

/** A server is quick when half of its answers take at most this long (ms). */
const MAX_QUICK_ANSWER_MS = 50;

/** How a server answers: `quick` at once, `waits` on purpose, `busy` anything else. */
export type Pace = 'quick' | 'waits' | 'busy';

/** Measures answer times from now on. Returns a function that classifies the server by the times so far. */
export function watchPace(recorder: Pick<Recorder, 'onEntry'>): () => Pace {
  const durations: number[] = [];
  recorder.onEntry((entry: Entry) => {
    if (entry.kind === 'exchange' && entry.link === 'client->auth' && entry.response)
      durations.push(entry.endedAt - entry.at);
  });
  return () => {
    durations.sort((a, b) => a - b);
    const [shortest = 0] = durations;
    const middle = durations[Math.floor(durations.length / 2)] ?? 0;
    if (shortest >= MIN_SLOW_ANSWER_MS && middle <= shortest * MAX_MEDIAN_RATIO) return 'waits';
    return durations.length > 0 && middle <= MAX_QUICK_ANSWER_MS ? 'quick' : 'busy';
  };
}

/** Waits in real time, and not by the clock that the kit can move forward. */
type Sleeping = { sleep(ms: number): Promise<unknown> };

/** Each request of the kit to the server first takes its turn here, by `server.requestsPerSecond`. */
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

  /** Waits in real time until `count` requests may be sent: a proxy with its own clock may limit them. */
  async take(count = 1): Promise<void> {
    if (this.#intervalMs === 0) return;
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt) + (count - 1) * this.#intervalMs;
    this.#nextAt = at + this.#intervalMs;
    if (at > now) await this.#time.sleep(at - now);
  }
}
