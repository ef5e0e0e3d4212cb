/** Keeps the kit's requests for codes below the server's limit for one address. */
import type { ServerClock } from '../time/server-clock.ts';

/** The longest time (ms) that a request needs to the server, where the minute begins. */
const MAX_ARRIVAL_MS = 2_000;
/** How long (ms) a request counts toward the limit. */
const WINDOW_MS = 60_000 + MAX_ARRIVAL_MS;

export class CodeBudget {
  readonly #perMinute: number | undefined;
  readonly #time: ServerClock;
  /** Requests of the last minute: when (ms) they were answered or, until then, sent. */
  #asked: { at: number; isAnswered: boolean }[] = [];

  constructor(perMinute: number | undefined, time: ServerClock) {
    this.#perMinute = perMinute;
    this.#time = time;
  }

  /** Waits until one more code may be requested, and counts it. Returns also when time could not be moved. */
  async take(): Promise<void> {
    if (this.#perMinute === undefined) return;
    for (;;) {
      const now = this.#time.now();
      this.#asked = this.#asked.filter(({ at }) => at > now - WINDOW_MS);
      const [first] = this.#asked;
      if (first === undefined || this.#asked.length < this.#perMinute) {
        this.#asked.push({ at: now, isAnswered: false });
        return;
      }
      if (!(await this.#time.wait(first.at + WINDOW_MS + 1 - now))) return;
    }
  }

  /** Notes an answer: the server's minute began by now. The oldest open request is taken for its own. */
  answered(): void {
    const next = this.#asked.find(({ isAnswered }) => !isAnswered);
    if (!next) return;
    this.#asked.splice(this.#asked.indexOf(next), 1);
    this.#asked.push({ at: this.#time.now(), isAnswered: true });
  }
}
