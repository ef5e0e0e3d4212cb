/** Requests codes within the rate of the server, and learns them. */
import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { ChangedOptions, DriverParts, StepLabel, Steps } from '../steps.ts';
import type { User } from '../users.ts';

/** Limits the wait (ms) for a code that must come. */
export const CODE_WAIT_MS = 10_000;

/** Limits the wait (ms) for a message that need not come. Codes usually arrive within a few milliseconds. */
const UNEXPECTED_CODE_WAIT_MS = 1_500;

export type RequestedCode = {
  result: StepResult;
  /** Milliseconds until the request was answered. */
  took: number;
  messages: number;
  code: string | undefined;
};

export class Codes {
  readonly #parts: DriverParts;
  readonly #steps: Steps;
  readonly #scenario: string;
  #reserved = 0;

  constructor(parts: DriverParts, steps: Steps, scenario: string) {
    this.#parts = parts;
    this.#steps = steps;
    this.#scenario = scenario;
  }

  /** Requests a code. `waitMs`: for the message; 0: only what has come already. */
  async request(
    user: User,
    label: StepLabel,
    { waitMs = 0, ...options }: ChangedOptions & { waitMs?: number } = {},
  ): Promise<RequestedCode> {
    const { clock } = this.#parts;
    const before = await this.messagesTo(user);
    await this.take(1);
    const begun = clock.now();
    const result = await this.#steps.performNow(user, 'requestOtp', label, options);
    const took = clock.now() - begun;
    const code = await this.#codeFor(user, before, result.kind === 'done' ? waitMs : 0);
    if (code !== undefined) this.learn(user, code);
    return { result, took, messages: (await this.messagesTo(user)) - before, code };
  }

  /** Waits until `count` more codes may be requested of the server under test. Uses reserved ones first. */
  async take(count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++) {
      if (this.#reserved > 0) this.#reserved--;
      else await this.#parts.codes.take();
    }
  }

  /** Waits for `count` codes in advance, so that the scenario's next requests need not wait. */
  async reserve(count: number): Promise<void> {
    await this.take(count);
    this.#reserved += count;
  }

  /** Waits for a code after the first `since` messages, and counts those that came. */
  async newest(
    user: User,
    since: number,
    waitMs = CODE_WAIT_MS,
  ): Promise<{ code: string; count: number } | undefined> {
    let code = await this.#codeFor(user, since, waitMs);
    if (code === undefined) return undefined;
    let count = await this.messagesTo(user);
    // Another message may arrive while messages are counted: counts until the number stays.
    for (let before = -1; before !== count; ) {
      before = count;
      code = (await this.#codeFor(user, since, 0)) ?? code;
      count = await this.messagesTo(user);
    }
    this.learn(user, code);
    return { code, count: count - since };
  }

  /** A code that need not come, after the first `before` messages. */
  async after(user: User, before: number): Promise<string | undefined> {
    const code = await this.#codeFor(user, before, UNEXPECTED_CODE_WAIT_MS);
    if (code !== undefined) this.learn(user, code);
    return code;
  }

  async messagesTo({ phone }: User): Promise<number> {
    await this.#waitForOutbox();
    return this.#parts.adapter.messagesTo(phone);
  }

  async #codeFor({ phone }: User, since: number, waitMs: number): Promise<string | undefined> {
    await this.#waitForOutbox();
    return this.#parts.adapter.codeFor(phone, since, waitMs);
  }

  /** An outbox counts toward the rate of requests: the server under test often serves it. */
  async #waitForOutbox(): Promise<void> {
    if (this.#parts.adapter.asksForMessages) await this.#parts.requests.take();
  }

  /** Notes a code, also one that the gateway did not send on: nobody else may be told it. */
  learn(user: User, code: string): void {
    this.#parts.recorder.code({ scenario: this.#scenario, user: user.name, phone: user.phone }, code);
    this.#steps.cameFromLastRequest(user, code);
  }
}
