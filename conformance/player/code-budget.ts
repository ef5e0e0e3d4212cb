/** Keeps the run below the rate of codes that the server under test allows one address. */
import type { TimeTable } from './time-table.ts';

/** The minute of the server begins when a request has come there, which may be so much later. */
const ARRIVAL_MS = 2_000;
const WINDOW_MS = 60_000 + ARRIVAL_MS;

export class CodeBudget {
  readonly #perMinute: number | undefined;
  readonly #time: TimeTable;
  /** Codes of the last minute: when each was taken, and, once the server has answered, when that was. */
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

  /** The server has answered a request: it came there by now, and the minute of the server began no later. */
  answered(): void {
    const next = this.#asked.find(({ isAnswered }) => !isAnswered);
    if (!next) return;
    this.#asked.splice(this.#asked.indexOf(next), 1);
    this.#asked.push({ at: this.#time.now(), isAnswered: true });
  }
}
