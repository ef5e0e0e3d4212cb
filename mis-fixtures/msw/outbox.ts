/**
 * The messages that the mock authorization server sent by SMS or e-mail, for a test that acts as the user.
 */
import type { Clock } from '#protocol/clock.ts';

/** `to` is a phone (digits) or e-mail address; `at` is ISO 8601. */
export type Message = { to: string; text: string; code: string; at: string };

export type Outbox = {
  /** Returns the messages, newest first: to one phone or e-mail address, in any notation, or to all. */
  messages(to?: string): Message[];
  /**
   * Returns the newest code sent to a phone or e-mail address.
   * @throws {Error} when none was sent
   */
  code(to: string): string;
};

/** The outbox as the server fills it. `canonical` normalises a phone or address for comparison. */
export class MessageStore implements Outbox {
  readonly #canonical: (to: string) => string;
  readonly #clock: Clock;
  #messages: Message[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock, canonical: (to: string) => string) {
    this.#clock = clock;
    this.#canonical = canonical;
  }

  add(to: string, text: string, code: string): void {
    this.#messages.unshift({ to, text, code, at: new Date(this.#clock.now()).toISOString() });
    for (const wake of [...this.#waiting]) wake();
  }

  messages(to?: string): Message[] {
    const wanted = to === undefined ? undefined : this.#canonical(to);
    return this.#messages
      .filter((message) => wanted === undefined || message.to === wanted)
      .map((message) => ({ ...message }));
  }

  code(to: string): string {
    const [newest] = this.messages(to);
    if (newest) return newest.code;
    const others = [...new Set(this.#messages.map((message) => message.to))].join(', ') || 'nobody';
    throw new Error(
      `Failed to read the code sent to ${to}: none was sent. Messages were sent to: ${others}. Please call auth.request_otp first.`,
    );
  }

  /** Resolves to the recipient's messages as soon as there are any, at the latest after `ms` milliseconds. */
  wait(to: string | undefined, ms: number): Promise<Message[]> {
    const now = this.messages(to);
    if (now.length > 0 || ms <= 0) return Promise.resolve(now);
    return new Promise((resolve) => {
      const settle = () => {
        cancel();
        this.#waiting.delete(wake);
        resolve(this.messages(to));
      };
      const wake = () => {
        if (this.messages(to).length > 0) settle();
      };
      const cancel = this.#clock.after(ms, settle);
      this.#waiting.add(wake);
    });
  }

  removeAllTo(to: string): void {
    this.#messages = this.#messages.filter((message) => message.to !== to);
  }

  clear(): void {
    this.#messages = [];
  }
}
