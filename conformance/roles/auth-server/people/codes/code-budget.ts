/** Keeps the run below the server's limit on codes for one address. */
import type { TimeTable } from '../time/time-table.ts';

/** The server's minute begins when a request arrives, up to this long (ms) after it was sent. */
const MAX_ARRIVAL_MS = 2_000;
const WINDOW_MS = 60_000 + MAX_ARRIVAL_MS;

export class CodeBudget {
  readonly #perMinute: number | undefined;
  readonly #time: TimeTable;
  /** Code requests of the last minute: the time of the answer or, before it, of sending. */
  #asked: { at: number; isAnswered: boolean }[] = [];

  /** @param perMinute codes a minute that the adapter file states; no limit unless given */
  constructor(perMinute: number | undefined, time: TimeTable) {
    this.#perMinute = perMinute;
    this.#time = time;
  }

  /** Waits until one more code may be requested. */
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

  /** Notes an answer: its request arrived by now, so the server's minute began no later than now. */
  answered(): void {
    const next = this.#asked.find(({ isAnswered }) => !isAnswered);
    if (!next) return;
    this.#asked.splice(this.#asked.indexOf(next), 1);
    this.#asked.push({ at: this.#time.now(), isAnswered: true });
  }
}
