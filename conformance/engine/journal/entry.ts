/** The journal of a run, in order: what the kit intended and what crossed. Checks read nothing else. */

import type { Facts } from './facts.ts';

export type { Facts };

/** The parties of a message: the caller first. */
export type Link = 'client->auth' | 'client->ehr' | 'auth->ehr' | 'auth->sms';

/** Milliseconds since the run began. */
type At = number;

/** A scenario begins or ends. A replayed scenario begins again: its earlier attempt is not judged. */
export type ScenarioEntry = {
  kind: 'scenario';
  seq: number;
  at: At;
  scenario: string;
  phase: 'begin' | 'end';
  /** At the beginning: no other scenario runs meanwhile, so all that crosses belongs to this one. */
  alone?: true;
  /** At the end: why the scenario stopped early, if it did. */
  stopped?: { because: string; blame: Party };
  /** At the end: required steps that the adapter declares absent; the scenario was not played. */
  absent?: StepName[];
  /** At the end: what the set-up lacks, in one sentence; the scenario was not played, or not to its end. */
  notPlayable?: string;
};

/** The kit begins to act as the client, until the {@link OutcomeEntry} of this step. */
export type StepEntry = {
  kind: 'step';
  seq: number;
  at: At;
  scenario: string;
  /** The end user, by the scenario's name for them. */
  user: string;
  /** The user's phone, as a pseudonym. */
  phone?: string;
  /** A step of the adapter, or a call of the client to the EHR server. */
  step: StepName | EhrStepName | OtherEhrStepName | ClientStepName;
  /**
   * The role of this step in the scenario, by which checks find it. Unique in a scenario unless it repeats on
   * purpose.
   */
  label: string;
  /** The deliberate mistake, in words; absent when the step is right and should succeed. */
  defect?: string;
};

/** How a step ended, as the client saw it. */
export type OutcomeEntry = {
  kind: 'outcome';
  seq: number;
  at: At;
  scenario: string;
  /** `seq` of the step. */
  step: number;
  result: StepResult;
  /** Milliseconds the step took. */
  took: number;
};

/** One HTTP exchange on one link, masked. */
export type ExchangeEntry = {
  kind: 'exchange';
  seq: number;
  at: At;
  endedAt: At;
  scenario: string | undefined;
  /** `seq` of the step in which the kit sent it; absent for calls of the server under test. */
  step?: number;
  link: Link;
  request: { httpVersion: string; method: string; path: string; headers: [string, string][]; body: string };
  /** Absent when the called party gave none. */
  response?: { status: number; headers: [string, string][]; body: string };
  /** The name of the injected fault. */
  fault?: FaultName;
  /** What went wrong on the connection, if anything. */
  broke?: 'refused' | 'reset' | 'closed-early' | 'timeout';
  facts: Facts;
};

/** What a person did or was told, where a person takes part, and remarks of the kit. */
export type NoteEntry = { kind: 'note'; seq: number; at: At; scenario: string | undefined; text: string };

/** A count or measurement of the kit beside the wire, such as the number of messages to a phone. */
export type ObservationEntry = {
  kind: 'observation';
  seq: number;
  at: At;
  scenario: string;
  label: string;
  values: Readonly<Record<string, number | string | boolean>>;
};

/** A one-time code reached the kit: a pseudonym of its value, and facts that do not reveal the value. */
export type CodeEntry = {
  kind: 'code';
  seq: number;
  at: At;
  scenario: string;
  user: string;
  code: string;
  facts: CodeFacts;
};

export type CodeFacts = {
  length: number;
  /** Whether it consists of digits only. */
  digits: boolean;
  /** For digits: the distance from the previous code, modulo the number of possible codes. */
  step?: number;
  /** For digits: its tenth of the range of codes, 0 to 9. */
  tenth?: number;
  /** What it was derived from, if that was found: the phone, the clock. */
  derived?: string;
  /** The generators by which it follows from codes before, if any. */
  follows?: string[];
  /** It was sent to this phone before, and has confirmed nothing since. */
  again?: true;
};

/** The kit itself stood still: it answered nothing for `took` milliseconds until `at`. */
export type SilenceEntry = { kind: 'silence'; seq: number; at: At; took: number };

/** The server under test came up or went away unrequested. */
export type ServerEntry = {
  kind: 'server';
  seq: number;
  at: At;
  event: 'started' | 'died' | 'unreachable';
  /** How it ended, in words, such as "ended with exit code 1". */
  ended?: string;
  /** Its last lines of output, without secrets. */
  output?: readonly string[];
};

export type Entry =
  | ScenarioEntry
  | StepEntry
  | OutcomeEntry
  | ExchangeEntry
  | NoteEntry
  | ObservationEntry
  | CodeEntry
  | SilenceEntry
  | ServerEntry;

/** The party at fault, as far as the journal tells. */
/** A step as the journal names it: its scenario and what is done there. */
export type Label = { readonly scenario: string; readonly label: string };

export type Party = 'auth server' | 'EHR server' | 'client' | 'harness' | 'environment';

/** The client-side steps that an adapter describes. */
export const stepNames = [
  'requestOtp',
  'confirmOtp',
  'exchangeToken',
  'reportLink',
  'logout',
  'deleteUser',
  'removeCorrespondence',
  'advanceClock',
  'expireSession',
  'restart',
] as const;
export type StepName = (typeof stepNames)[number];

/** The client's calls to the EHR server, which the kit makes. */
export type EhrStepName = 'getPatient' | 'authenticate' | 'removeAuthInfo' | 'removeAuthentication';

/** Where an EHR server is judged: the calls of an authorization server, and requests that are no call. */
export type OtherEhrStepName = 'saveAuthInfo' | 'saveExchangeToken' | 'send';

/** Where a client is judged: what a person does with it. */
export type ClientStepName =
  | 'signIn'
  | 'resend'
  | 'enterCode'
  | 'fillForm'
  | 'readPatient'
  | 'logOut'
  | 'disconnect'
  | 'deleteAccount'
  | 'restartClient'
  | 'leave'
  | 'reload'
  | 'goBack'
  | 'otherTab'
  | 'goOffline'
  | 'goOnline';

/** Values that a step yields; in the journal, tokens and codes are pseudonyms. */
export type Values = Readonly<Record<string, string>>;

export type StepResult =
  /** The step achieved its purpose: the answer is a success and has all values to be extracted. */
  | { kind: 'done'; values: Values }
  /** A refusal that a client can understand: an HTTP status 4xx, or a JSON-RPC error. */
  | { kind: 'refused'; status: number; code?: string; reason?: string }
  /** Neither done nor refused: no answer, HTTP 5xx, or a success that lacks required values. */
  | { kind: 'failed'; what: 'unreachable' | 'timeout' | 'server-error' | 'unexpected-answer'; detail: string }
  /** The adapter declares that the server has no such step. */
  | { kind: 'absent' };

/** Faults that a recording proxy can inject into one exchange. */
export const faultNames = [
  'down',
  'reset',
  'hang',
  'late',
  'truncate',
  'not-json',
  'wrong-id',
  'http-500',
  'http-429',
  'reply-lost',
  'redirect',
  'split-reply',
  'number-id',
  'string-id',
  'refuse',
  'result-null',
  'result-empty',
  'no-result',
  'result-and-error',
  'error-text',
  'array',
  'status-204',
  'gzip',
  'trickle',
  'huge',
  'duplicate-members',
  'doubled',
  'replayed',
  'sign-alone',
  'more-members',
  'short-ttl',
  'long-ttl',
  'null-id',
] as const;
export type FaultName = (typeof faultNames)[number];
