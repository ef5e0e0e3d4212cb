/** How the kit drives a server that is not ours: the client-side steps, and how the one-time code is learned. */
import type { StepName, StepResult } from '../journal/entry.ts';

/** A JSON value that is sent in place of a text; without `json` nothing is sent. */
export type InPlace = { readonly json?: unknown };

/** What a step may need; templates name these. `attempt` is a number that differs for every call. */
export type StepInput = {
  phone?: string;
  code?: string;
  /** With confirmOtp: what stands in a JSON body or a form in place of a member that is the code alone; `code` stands elsewhere. */
  codeInPlace?: InPlace;
  /** The `stepSeq` of the request from which the code came; with reportLink, of the one whose exchange token linked the user. */
  requestSeq?: string;
  /** Only with a sign-in that carries it. */
  userSign?: string;
  user?: string;
  token?: string;
  /** The session whose kept values are sent, each of them changed; `token` has been changed alike. */
  spoilt?: { readonly token: string; readonly change: (value: string) => string };
  /** For advanceClock, in milliseconds. */
  milliseconds?: string;
  /** The harness's own number of the step, by which the recording proxy knows the request. */
  stepSeq?: string;
};

/** `taken` says whether the server answered each call of the batch. */
export type Batch = (
  inputs: readonly StepInput[],
  signal: AbortSignal,
) => Promise<{ results: StepResult[]; taken: boolean }>;

export type Adapter = {
  /** The server's name, for reports. */
  readonly name: string;
  has(step: StepName): boolean;
  /**
   * Performs one step and says how it ended. Never throws for what the server does.
   * Values that a `done` step yields: confirmOtp -> user, token, ttl; exchangeToken -> exchangeToken; others may be empty.
   */
  perform(step: StepName, input: StepInput, signal: AbortSignal): Promise<StepResult>;
  /** How to perform a step several times by one request, a JSON-RPC batch; undefined where it is no JSON-RPC call. */
  batchOf?(step: StepName): Batch | undefined;
  /**
   * The code that came to `phone` after the `since`-th message to it, waiting up to `waitMs`; undefined when none came.
   */
  codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined>;
  /** How many messages have come to `phone` so far. */
  messagesTo(phone: string): Promise<number>;
  /** Whether messages can be counted: where a person types codes in, or all are the same, they cannot. */
  readonly countsMessages: boolean;
  /** A phone number that no earlier call of this run returned; `index` counts from 0. */
  phone(index: number): string;
  /** So many phones there are; infinitely many where a pattern makes them. */
  readonly phoneCount: number;
  /** A phone that the server does not know, by an index; undefined where the file names none. */
  unknownPhone(index: number): string | undefined;
  /** Whether a sign-in sends what came with the request of its code, such as a challenge. */
  readonly bindsCodes?: boolean;
  /** Places of `keep` that found nothing in the last answer of their step, in words. */
  keptNothing?(): readonly string[];
  /** Whether a person does some of the steps: then one thing is done at a time. */
  readonly isManual: boolean;
  /** Requests that the server takes in a second from one address, when the adapter states it. */
  readonly requestsPerSecond?: number | undefined;
  /** Codes that the server sends in a minute to all phones together, when the adapter states it. */
  readonly codesPerMinute: number | undefined;
  /** Codes that the server sends in a day to one phone, when the adapter states it. */
  readonly codesPerDay: number | undefined;
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
