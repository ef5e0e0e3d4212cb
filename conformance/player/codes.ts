/** One-time codes of a scenario's users: requested within the rate that the server allows, and learned as the adapter says. */
import type { StepResult } from '../journal/entry.ts';
import type { Label } from '../scenarios/scenario.ts';
import type { DriverParts } from './driver-parts.ts';
import type { Steps } from './steps.ts';
import type { StepOptions, User } from './user.ts';

/** How long a code may take to come. */
export const CODE_WAIT_MS = 10_000;

/** A message that need not come is waited for so long; codes of this run have come within a few milliseconds. */
const UNEXPECTED_CODE_WAIT_MS = 1_500;

export type RequestedCode = {
  result: StepResult;
  /** Milliseconds until the request was answered. */
  took: number;
  /** So many messages came. */
  messages: number;
  /** That of the newest message. */
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

  /**
   * Requests a code, however that ends.
   * @param waitMs how long a message is waited for after a success
   */
  async request(
    user: User,
    label: Label,
    { input = {}, waitMs = 0, defect }: StepOptions & { waitMs?: number } = {},
  ): Promise<RequestedCode> {
    const { adapter, clock } = this.#parts;
    const before = await adapter.messagesTo(user.phone);
    await this.take(1);
    const begun = clock.now();
    const options = { input, ...(defect !== undefined && { defect }) };
    const result = await this.#steps.perform(user, 'requestOtp', label, options);
    const took = clock.now() - begun;
    const code = await adapter.codeFor(user.phone, before, result.kind === 'done' ? waitMs : 0);
    if (code !== undefined) this.#learn(user, code);
    return { result, took, messages: (await adapter.messagesTo(user.phone)) - before, code };
  }

  /** Waits until so many codes more may be requested of the server under test. */
  async take(count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++) {
      if (this.#reserved > 0) this.#reserved--;
      else await this.#parts.codes.take();
    }
  }

  /** As {@link take}, for the next requests of this scenario: none of them waits for the rate then. */
  async reserve(count: number): Promise<void> {
    await this.take(count);
    this.#reserved += count;
  }

  /**
   * The code that came to the user's phone last, after the first `since` messages, and how many have come; undefined when
   * none came in time.
   */
  async newest(user: User, since: number, waitMs = CODE_WAIT_MS): Promise<{ code: string; count: number } | undefined> {
    const { adapter } = this.#parts;
    let code = await adapter.codeFor(user.phone, since, waitMs);
    if (code === undefined) return undefined;
    let count = await adapter.messagesTo(user.phone);
    // Another message may have come while they were counted.
    for (let before = -1; before !== count; ) {
      before = count;
      code = (await adapter.codeFor(user.phone, since, 0)) ?? code;
      count = await adapter.messagesTo(user.phone);
    }
    this.#learn(user, code);
    return { code, count: count - since };
  }

  /** The code that came to the user after so many messages; undefined when none comes within a moment. */
  async after(user: User, before: number): Promise<string | undefined> {
    const code = await this.#parts.adapter.codeFor(user.phone, before, UNEXPECTED_CODE_WAIT_MS);
    if (code !== undefined) this.#learn(user, code);
    return code;
  }

  #learn(user: User, code: string): void {
    this.#parts.recorder.code({ scenario: this.#scenario, user: user.name, phone: user.phone }, code);
    this.#steps.cameFromLastRequest(user, code);
  }
}
