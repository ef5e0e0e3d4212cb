/** The time of one scenario, in step with those that run at the same moment. */
import type { Recorder } from '../../../../engine/journal/recorder.ts';
import type { Adapter } from '../../adapter/adapter.ts';
import type { ServerClock } from './server-clock.ts';

/** A common pause (seconds) between two codes, where the adapter file states none. */
const USUAL_RESEND_PAUSE_SECONDS = 60;

/** A common lifetime (seconds) of a code, where the adapter file states none. */
const USUAL_CODE_LIFETIME_SECONDS = 300;

export const resendPauseOf = ({ settings: { otp } }: Adapter): number =>
  otp?.resendAfterSeconds ?? USUAL_RESEND_PAUSE_SECONDS;

export const codeLifetimeOf = ({ settings: { otp } }: Adapter): number =>
  otp?.lifetimeSeconds ?? USUAL_CODE_LIFETIME_SECONDS;

type Together<T extends readonly (() => Promise<unknown>)[]> = {
  -readonly [K in keyof T]: Awaited<ReturnType<T[K]>>;
};

type TimeParts = { time: ServerClock; adapter: Adapter; recorder: Recorder; signal: AbortSignal };

/** The clock moves only while all scenarios wait. */
export class ScenarioTime {
  readonly #parts: TimeParts;
  readonly #scenario: string;
  /** Tells the clock that this scenario is no longer at work; undefined while it is not. */
  #leave: (() => void) | undefined;

  constructor(parts: TimeParts, scenario: string) {
    this.#parts = parts;
    this.#scenario = scenario;
  }

  /** Moves the clock, or waits up to `longestWaitMs`. `slackMs` more may pass. False: neither is possible. */
  async advance(
    milliseconds: number,
    { longestWaitMs = LONGEST_WAIT_MS, slackMs = 0 }: { longestWaitMs?: number; slackMs?: number } = {},
  ): Promise<boolean> {
    const { time, signal, recorder } = this.#parts;
    if (milliseconds <= 0) return true;
    if (!time.canAdvance && milliseconds > longestWaitMs) return false;
    const seconds = Math.ceil(milliseconds / 1_000);
    if (!time.canAdvance)
      recorder.note(
        `Waiting ${seconds} s, because the adapter cannot move the clock of the server under test.`,
        this.#scenario,
      );
    const passed = await time.wait(milliseconds, slackMs);
    signal.throwIfAborted();
    return passed;
  }

  /** Waits until the server under test may send another code to the same phone. */
  passResendPause(): Promise<boolean> {
    return this.advance(this.resendPauseMs(), { slackMs: this.resendSlackMs() });
  }

  /** One pause and four extensions fit into the life of a code, so kept codes stay valid. */
  resendSlackMs(): number {
    const pauseMs = this.resendPauseMs();
    return Math.max(0, Math.min(pauseMs, (this.codeLifetimeMs - pauseMs) / 4));
  }

  get codeLifetimeMs(): number {
    return codeLifetimeOf(this.#parts.adapter) * 1_000;
  }

  /** The pause (ms) between two codes to one phone; 0 where there is none. */
  resendPauseMs(): number {
    const seconds = this.#parts.adapter.has('requestOtp') ? resendPauseOf(this.#parts.adapter) : 0;
    // Half a second more, because the server under test may measure from a later moment than the kit.
    return seconds === 0 ? 0 : seconds * 1_000 + 500;
  }

  async wait(milliseconds: number): Promise<void> {
    await this.#parts.time.sleep(milliseconds);
  }

  /** The time (ms since 1970) that the server under test has, as far as the kit knows. */
  now(): number {
    return this.#parts.time.now();
  }

  get canAdvance(): boolean {
    return this.#parts.time.canAdvance;
  }

  /** Takes this scenario off work, so that time may pass. Returns a function that puts it back to work. */
  pauseWork(): () => void {
    this.#leave?.();
    return () => this.beginWork();
  }

  /** Does several pieces of work at once. Time passes only when every one of them waits for it. */
  async together<const T extends readonly (() => Promise<unknown>)[]>(works: T): Promise<Together<T>> {
    const leaves = works.map(() => this.#parts.time.enter());
    const enter = this.pauseWork();
    try {
      const done = works.map((work, index) => work().finally(() => leaves[index]?.()));
      // No piece goes on when the scenario has ended: it would disturb the next attempt at it.
      await Promise.allSettled(done);
      return (await Promise.all(done)) as Together<T>;
    } finally {
      enter();
    }
  }

  /** Keeps the clock still until this scenario waits or ends. */
  beginWork(): void {
    this.#leave = this.#parts.time.enter();
  }

  endWork(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}

/** Limits a wait in real time (ms): enough for a pause of 60 s, too short for an expiry. */
export const LONGEST_WAIT_MS = 65_000;
