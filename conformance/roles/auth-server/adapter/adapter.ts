/** How the kit drives a foreign server: the steps of its client, and how one-time codes are learned. */

import type { Clock } from '#protocol/time/clock.ts';
import type { StepName, StepResult, Values } from '../../../engine/journal/entry.ts';
import type { InPlace } from '../../../engine/party/requests/build-request.ts';

/** The input of a step; templates name these members. `attempt` is a number that differs for every call. */
export type StepInput = {
  phone?: string;
  code?: string;
  /**
   * With confirmOtp: replaces a member of a JSON body or form that is the code alone. `code` is used
   * elsewhere.
   */
  codeInPlace?: InPlace;
  /** The `stepSeq` of the request that yielded the code or, with reportLink, the exchange token. */
  requestSeq?: string;
  /** Only for a sign-in that carries the user's signature. */
  userSign?: string;
  user?: string;
  token?: string;
  /** Sends the kept values of this session, each of them changed; `token` is already changed. */
  spoilt?: { readonly token: string; readonly change: (value: string) => string };
  /** For advanceClock, in milliseconds. */
  milliseconds?: string;
  /** The kit's own number of the step, by which the recording proxy recognizes the request. */
  stepSeq?: string;
};

/** Sends several calls at once. `taken` says whether the server answered each call of the batch. */
export type Batch = (
  inputs: readonly StepInput[],
  signal: AbortSignal,
) => Promise<{ results: StepResult[]; taken: boolean }>;

/** What an answer carries in the form of a session; `user` where it is told. */
export type CarriedSession = { readonly token: string; readonly user?: string };

/** A source of one-time codes. */
export type OtpSource = {
  /** Base URL of the kit's SMS sink, without a trailing slash; undefined for other sources. */
  readonly smsUrl: string | undefined;
  /**
   * Returns the newest code sent to `phone` after the first `since` messages. Waits up to `waitMs`; undefined
   * when none came.
   */
  codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined>;
  /** The number of messages sent to `phone` so far. */
  messagesTo(phone: string): Promise<number>;
  /** Whether each look at the messages is a request, which may count toward the rate of the server. */
  readonly asksForMessages?: boolean;
  /** Whether messages can be counted. They cannot when a person types codes in or all codes are the same. */
  readonly countsMessages: boolean;
  /** The last problem with learning a code, in one sentence for the doctor. */
  trouble(): string | undefined;
  /** What else in the last message could be a code, with # for each digit. */
  otherNumbers?(): readonly string[];
  close(): Promise<void>;
};

/** The phones of invented users. */
export type Phones = {
  /** The phone of this index, counted from 0; no other index has the same. */
  phone(index: number): string;
  /** The number of phones; infinite where a pattern makes them. */
  readonly phoneCount: number;
  /** A phone that the server does not know, by its index; undefined where the file names none. */
  unknownPhone(index: number): string | undefined;
};

type MessagesOf = Pick<OtpSource, 'codeFor' | 'messagesTo' | 'asksForMessages' | 'countsMessages' | 'close'>;

/** What an adapter file says of a server, and how it is driven. */
type Driven = {
  /** The server's name, for reports. */
  readonly name: string;
  has(step: StepName): boolean;
  /**
   * Performs one step and says how it ended. Never throws for what the server does.
   * A `done` step must yield: confirmOtp -> user, token, ttl; exchangeToken -> exchangeToken. Others may
   * yield nothing.
   */
  perform(step: StepName, input: StepInput, signal: AbortSignal): Promise<StepResult>;
  /** Returns how to perform a step as one JSON-RPC batch; undefined where it is no JSON-RPC call. */
  batchOf?(step: StepName): Batch | undefined;
  /** Whether a sign-in sends a value, such as a challenge, from the answer to its code request. */
  readonly bindsCodes?: boolean;
  /** The places of `keep` that had no value in the last answer of their step, in words. */
  keptNothing?(): readonly string[];
  /**
   * What came, in the form of a session, with this phone's last answer that is to open none: the refusal of a
   * confirmation, or the answer to a logout or a deletion.
   */
  carriedSessions?(phone: string): readonly CarriedSession[];
  /** Whether a person performs some of the steps: then the scenarios run one at a time. */
  readonly isManual: boolean;
  /** Requests a second that the server accepts from one address, when the adapter states it. */
  readonly requestsPerSecond?: number | undefined;
  /** Codes a minute that the server sends to all phones together, when the adapter states it. */
  readonly codesPerMinute: number | undefined;
  /** Codes a day that the server sends to one phone, when the adapter states it. */
  readonly codesPerDay: number | undefined;
  /** A phone whose user has no correspondence entry, when the adapter names one. */
  readonly phoneWithoutCorrespondence: string | undefined;
  /** Lifetime of a code in seconds, when the adapter states it. */
  readonly otpLifetimeSeconds: number | undefined;
  /** Pause between two codes to the same phone, in seconds, when the adapter states it. */
  readonly resendAfterSeconds: number | undefined;
  /** The judged time limit (ms) for an answer of the server while the EHR server does not answer. */
  readonly patienceMs: number;
  /** Settings for the report, without secrets. */
  readonly publicConfiguration: Record<string, unknown>;
};

export type Adapter = Driven & Phones & MessagesOf;

/** What an adapter needs of the run. */
export type AdapterParts = {
  /** The recording proxy before the server under test, for the client's steps; no trailing slash. */
  baseUrl: string;
  clock: Clock;
  /** Decides which phones this run uses. */
  seed: number;
  /** How codes are learned; closed with the adapter. */
  otp: OtpSource;
  /** The platform's own unless given. */
  fetch?: typeof fetch;
  /** Tells a person what to do now. */
  tell: (sentence: string) => void;
  /** Resolves when the effect of a manual step was seen on the wire, to the values learned there. */
  waitForEffect: (step: StepName, input: StepInput, signal: AbortSignal) => Promise<Values>;
};
