/** An adapter drives the authorization server under test, and learns the codes that it sends. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { StepName, StepResult, Values } from '../../../engine/journal/entry.ts';
import type { InPlace } from '../../../engine/party/requests/build-request.ts';
import type { AdapterSettings } from './file/schema/schema.ts';

/** The input of one step. The templates of an adapter file name these members, as `${phone}`. */
export type StepInput = {
  phone?: string;
  code?: string;
  /** Only for confirmOtp. Replaces a member whose whole value is the code, for example by a list. */
  codeInPlace?: InPlace;
  /** The `stepSeq` of the earlier step that yielded the code or, for reportLink, the exchange token. */
  requestSeq?: string;
  userSign?: string;
  user?: string;
  token?: string;
  /** Spoils on purpose what the session `spoilt.token` keeps; `token` beside it is spoilt already. */
  spoilt?: { readonly token: string; readonly change: (value: string) => string };
  /** Only for advanceClock: how far the server's clock is moved, in milliseconds. */
  milliseconds?: string;
  /** The number that the kit gave to this step; the recording proxy knows the step's request by it. */
  stepSeq?: string;
};

/** The values that a step must yield; it fails where the answer lacks one. */
export const REQUIRED_VALUES: Partial<Record<StepName, readonly string[]>> = {
  confirmOtp: ['user', 'token'],
  exchangeToken: ['exchangeToken'],
};

/** Sends calls in one request, in order. `taken`: the server answered each call of the batch. */
export type Batch = (
  inputs: readonly StepInput[],
  signal: AbortSignal,
) => Promise<{ results: StepResult[]; taken: boolean }>;

/** A value in the form of a session token in an answer. `user` is absent where the answer names no user. */
export type CarriedSession = { readonly token: string; readonly user?: string };

/** How the gateway fails: it refuses with HTTP 500, answers an error with HTTP 200, or does not answer. */
export type GatewayFailure = 'refuses' | 'error in a 200' | 'silence';

export type FailingGateway = {
  /** The codes of the messages that came; undefined stands for one without a code. */
  readonly codes: readonly (string | undefined)[];
  /** Lets it work again. Messages that it left unanswered lose their connection. */
  end(): void;
};

export type OtpSource = {
  /** Base URL of the kit's SMS sink, without a trailing slash; undefined for other sources. */
  readonly smsUrl: string | undefined;
  /** The newest code to `phone` after the first `since` messages; undefined: none came in `waitMs`. */
  codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined>;
  messagesTo(phone: string): Promise<number>;
  /** True when reading messages is a request to the server, which may count toward its rate limit. */
  readonly asksForMessages?: boolean;
  /** Lets the gateway fail for messages to this phone. Undefined where the kit is not the gateway. */
  failFor?(phone: string, how: GatewayFailure): FailingGateway;
  /** Whether messages can be counted. They cannot when a person types codes in or all codes are the same. */
  readonly countsMessages: boolean;
  /** The last problem with learning a code, as a sentence of the doctor; undefined when there is none. */
  trouble(): string | undefined;
  /** The other numbers of the last message that could be a code, with # for each digit. */
  otherNumbers?(): readonly string[];
  close(): Promise<void>;
};

export type Phones = {
  /** The phone with this index, counted from 0. Two indexes never have the same phone. */
  phone(index: number): string;
  /** Infinite where a pattern makes the phones. */
  readonly phoneCount: number;
  /** A phone that the server does not know, by its index from 0; undefined where the file names no such. */
  unknownPhone(index: number): string | undefined;
};

type MessagesOf = Pick<
  OtpSource,
  'codeFor' | 'messagesTo' | 'asksForMessages' | 'countsMessages' | 'failFor' | 'close'
>;

type Driven = {
  /** What the adapter file says, with its ports filled in. What it does not say is undefined. */
  readonly settings: AdapterSettings;
  /** Whether the server has this step: the adapter file describes it and does not call it absent. */
  has(step: StepName): boolean;
  /**
   * Performs one step. Never throws for what the server does. A `done` confirmOtp has user, token and, where
   * it is told, ttl; a `done` exchangeToken has exchangeToken.
   */
  perform(step: StepName, input: StepInput, signal: AbortSignal): Promise<StepResult>;
  /** Returns a function that sends a step several times as one JSON-RPC batch; undefined for other steps. */
  batchOf?(step: StepName): Batch | undefined;
  /** True when confirmOtp sends back a value, such as a challenge, from the answer to requestOtp. */
  readonly bindsCodes?: boolean;
  /** The places that the file's `keep` names, in words, where the last answer of the step had no value. */
  keptNothing?(): readonly string[];
  /** What looks like a session token in the last answer to this phone that must not open a session. */
  carriedSessions?(phone: string): readonly CarriedSession[];
  /** True when a person performs some of the steps. The scenarios then run one at a time. */
  readonly isManual: boolean;
};

export type Adapter = Driven & Phones & MessagesOf;

export type AdapterParts = {
  /** Address of the proxy in front of the server under test, without a trailing slash. */
  baseUrl: string;
  clock: Clock;
  seed: number;
  /** Draws the phones of this run. */
  random: Random;
  otp: OtpSource;
  tell: (sentence: string) => void;
  /** Waits until a proxy records the effect of a step that a person does; resolves to the values in it. */
  waitForEffect: (step: StepName, input: StepInput, signal: AbortSignal) => Promise<Values>;
};
