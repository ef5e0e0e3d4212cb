/** How the kit drives a server that is not ours: the client-side steps, and how the one-time code is learned. */
import type { StepName, StepResult } from '../journal/entry.ts';

/** What a step may need; templates name these. `attempt` is a number that differs for every call. */
export type StepInput = {
  phone?: string;
  code?: string;
  /** Only with a sign-in that carries it. */
  userSign?: string;
  user?: string;
  token?: string;
  /** For advanceClock, in milliseconds. */
  milliseconds?: string;
};

export type Adapter = {
  /** The server's name, for reports. */
  readonly name: string;
  has(step: StepName): boolean;
  /**
   * Performs one step and says how it ended. Never throws for what the server does.
   * Values that a `done` step yields: confirmOtp -> user, token, ttl; exchangeToken -> exchangeToken; others may be empty.
   */
  perform(step: StepName, input: StepInput, signal: AbortSignal): Promise<StepResult>;
  /**
   * The code that came to `phone` after the `since`-th message to it, waiting up to `waitMs`; undefined when none came.
   */
  codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined>;
  /** How many messages have come to `phone` so far. */
  messagesTo(phone: string): Promise<number>;
  /** A phone number that no earlier call of this run returned; `index` counts from 0. */
  phone(index: number): string;
  /** A phone whose user has no correspondence entry, when the adapter names one. */
  readonly phoneWithoutCorrespondence: string | undefined;
  /** Lifetime of a code in seconds, when the adapter states it. */
  readonly otpLifetimeSeconds: number | undefined;
  /** How long the server makes one wait before another code goes to the same phone, in seconds, when the adapter states it. */
  readonly resendAfterSeconds: number | undefined;
  /** How long the server may take to answer when the EHR does not, in milliseconds: the bound that is judged. */
  readonly patienceMs: number;
  /** Settings for the report, without any secret. */
  readonly publicConfiguration: Record<string, unknown>;
  close(): Promise<void>;
};
