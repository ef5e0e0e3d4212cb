/** Keeps the codes of the messages that came to the SMS sink, and lets callers wait for the next. */
import type { Clock } from '#protocol/time/clock.ts';

/** Limits the messages of a run, so that a server that sends without end does not fill the memory. */
const MAX_MESSAGES = 100_000;

/** The messages of one run. Waits end by the clock of the run. */
export class Inbox {
  count = 0;
  readonly #clock: Clock;
  /** By phone, the codes of its messages, oldest first; undefined stands for a message without a code. */
  readonly #codes = new Map<string, (string | undefined)[]>();
  /** One function for each caller that waits for a code; it looks whether the code has come. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isFull(): boolean {
    return this.count >= MAX_MESSAGES;
  }

  /** Keeps a message to this phone; `code` is undefined for a message without a code. */
  add(phone: string, code: string | undefined): void {
    this.#codes.set(phone, [...(this.#codes.get(phone) ?? []), code]);
    this.count++;
  }

  /** The number of messages that came for this phone, those without a code included. */
  countOf(phone: string): number {
    return this.#codes.get(phone)?.length ?? 0;
  }

  /** The newest code for this phone after the first `since` messages; waits up to `waitMs`. */
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

  /** Lets every waiting caller look for its code. The sink calls this after it has answered the message. */
  wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Ends all waits; their callers get undefined. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** The newest code for this phone after the first `since` messages to it; undefined when there is none. */
  #newest(phone: string, since: number): string | undefined {
    return (this.#codes.get(phone) ?? []).slice(since).findLast((code) => code !== undefined);
  }
}
