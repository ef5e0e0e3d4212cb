/** The codes of the messages that came to the SMS sink, by phone. */
import type { Clock } from '#protocol/time/clock.ts';

/** Limits the kept messages: no test sends more. */
const MAX_MESSAGES = 100_000;

export class Inbox {
  /** The number of messages that came. */
  count = 0;
  readonly #clock: Clock;
  /** Phone to the codes of its messages, oldest first; undefined for a message without a code. */
  readonly #codes = new Map<string, (string | undefined)[]>();
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isFull(): boolean {
    return this.count >= MAX_MESSAGES;
  }

  add(phone: string, code: string | undefined): void {
    this.#codes.set(phone, [...(this.#codes.get(phone) ?? []), code]);
    this.count++;
  }

  countOf(phone: string): number {
    return this.#codes.get(phone)?.length ?? 0;
  }

  /** Returns the newest code after the first `since` messages; undefined when none came within `waitMs`. */
  async codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined> {
    const now = this.#newest(phone, since);
    if (now !== undefined || waitMs <= 0 || this.#isClosed) return now;
    return new Promise((resolve) => {
      const settle = () => {
        cancel();
        this.#waiting.delete(look);
        resolve(this.#newest(phone, since));
      };
      const look = () => {
        if (this.#isClosed || this.#newest(phone, since) !== undefined) settle();
      };
      const cancel = this.#clock.after(waitMs, settle);
      this.#waiting.add(look);
    });
  }

  /** Lets all who wait look for their code. */
  wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  #newest(phone: string, since: number): string | undefined {
    return (this.#codes.get(phone) ?? []).slice(since).findLast((code) => code !== undefined);
  }
}
