/** What a run leaves behind: an ordered journal of what the harness intended and what crossed the wire. Checks read nothing else. */

/** Between whom a message crossed: the caller first. */
export type Link = 'client->auth' | 'client->ehr' | 'auth->ehr' | 'auth->sms';

/** Milliseconds since the run began. */
type At = number;

/** A scenario begins or ends. One that is run again begins anew: what came of the earlier attempt is not judged. */
export type ScenarioEntry = {
  kind: 'scenario';
  seq: number;
  at: At;
  scenario: string;
  phase: 'begin' | 'end';
  /** At the beginning: nothing else was run meanwhile, so everything that crosses belongs to it. */
  alone?: true;
  /** At the end: why the scenario could not go all its way, if it could not. */
  stopped?: { because: string; blame: Party };
  /** At the end: steps that the scenario needs and the adapter declares absent; it was not played then. */
  absent?: StepName[];
};

/** The harness is about to act as the client, until its {@link OutcomeEntry}. */
export type StepEntry = {
  kind: 'step';
  seq: number;
  at: At;
  scenario: string;
  /** The end user it is done for, by the scenario's name for them. */
  user: string;
  /** The user's phone, as a pseudonym. */
  phone?: string;
  /** A step of the adapter, or a call of the client to the EHR server. */
  step: StepName | EhrStepName;
  /** What this step is in the scenario: checks find their steps by it. Unique within a scenario unless it repeats on purpose. */
  label: string;
  /** What is wrong with it on purpose, in words; absent when it is right and ought to succeed. */
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
  /** `seq` of the step in which the harness sent it; absent for calls of the server under test. */
  step?: number;
  link: Link;
  request: { httpVersion: string; method: string; path: string; headers: [string, string][]; body: string };
  /** Absent when the called party gave none. */
  response?: { status: number; headers: [string, string][]; body: string };
  /** The fault that the tap injected, by its name. */
  fault?: FaultName;
  /** What went wrong on the connection, when something did. */
  broke?: 'refused' | 'reset' | 'closed-early' | 'timeout';
  facts: Facts;
};

/** What a person did or was told, in runs where a person takes part, and remarks of the harness. */
export type NoteEntry = { kind: 'note'; seq: number; at: At; scenario: string | undefined; text: string };

/** Something that the harness counted or measured beside the wire, such as the messages that came to a phone. */
export type ObservationEntry = {
  kind: 'observation';
  seq: number;
  at: At;
  scenario: string;
  label: string;
  values: Readonly<Record<string, number | string | boolean>>;
};

/** A one-time code reached the harness. Its value is a pseudonym; what can be told of it without the value stands beside. */
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
  /** Of digits alone. */
  digits: boolean;
  /** For digits: how far it is from the code before, modulo the number of codes there are. */
  step?: number;
  /** For digits: which tenth of all codes it lies in, 0 to 9. */
  tenth?: number;
  /** What it follows from, where that was found: the phone, the clock. */
  derived?: string;
  /** It was sent to this phone before, and it confirmed nothing since. */
  again?: true;
};

/** The harness itself stood still: nothing that it serves was answered for so long, in milliseconds, until `at`. */
export type SilenceEntry = { kind: 'silence'; seq: number; at: At; took: number };

/** The server under test came up or went away without being asked to. */
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

/** Who is at fault, as far as the journal tells. */
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

/** What the harness calls at the EHR server in the client's place. */
export type EhrStepName = 'getPatient' | 'authenticate' | 'removeAuthInfo' | 'removeAuthentication';

/** Values that a step yields; tokens and codes stand as pseudonyms once in the journal. */
export type Values = Readonly<Record<string, string>>;

export type StepResult =
  /** It did what it is for: the answer is a success and everything to be extracted was there. */
  | { kind: 'done'; values: Values }
  /** A refusal that a client can understand: an HTTP status 4xx, or a JSON-RPC error. */
  | { kind: 'refused'; status: number; code?: string; reason?: string }
  /** Neither done nor refused: no answer, HTTP 5xx, or an answer that is a success and lacks what it must carry. */
  | { kind: 'failed'; what: 'unreachable' | 'timeout' | 'server-error' | 'unexpected-answer'; detail: string }
  /** The adapter declares that the server has no such step. */
  | { kind: 'absent' };

/** Faults that a tap can inject into one exchange. */
export const faultNames = [
  'down',
  'reset',
  'hang',
  'late',
  'truncate',
  'not-json',
  'wrong-id',
  'http-500',
  'reply-lost',
  'redirect',
  'split-reply',
  'number-id',
  'string-id',
  'refuse',
  'result-null',
  'no-result',
  'result-and-error',
  'error-text',
  'array',
  'status-204',
  'gzip',
  'trickle',
  'huge',
  'duplicate-members',
] as const;
export type FaultName = (typeof faultNames)[number];

/**
 * What the observer knew about an exchange while the values were still in clear. Values that must not be kept are
 * described here and masked in the messages, so that a saved journal can be judged again without any secret.
 */
export type Facts = {
  /** The JSON-RPC call in the request, when there is one. */
  call?: {
    method: string;
    /** `string`, `number`, `null`, `absent` or the JSON type that it must not be. */
    idType: string;
    /** The id as JSON text, cut after 80 characters; absent when there is none or it is null. */
    id?: string;
    jsonrpc: string;
    /** Member names of params, of params.authInfo, and of cred, each with the JSON type of its value (`integer` apart from `number`). */
    params: Record<string, string>;
    authInfo?: Record<string, string>;
    cred?: Record<string, string>;
    /** Values, tokens as pseudonyms. */
    exchangeToken?: string;
    user?: string;
    token?: string;
    ttl?: number;
  };
  /** How the reply answered the call. */
  reply?: { result: boolean; code?: number; reason?: string };
  /** The digest in cred.token, when the call carries one. */
  digest?: {
    length: number;
    lowercaseHex: boolean;
    /** Whether cred.user is the internal user of the settings. */
    rightUser: boolean;
    /** Whether cred.user is the end user of authInfo, which is a fault and no matter of settings. */
    isEndUser?: true;
    /** The secret behind the password for which the digest is right: whose it is; absent when it is right for none that is known. */
    over?: { kind: 'exchange-token' | 'user-sign'; owner: string };
    /** When it is wrong: how it comes about, where one of the usual mistakes explains it. */
    explained?: string;
  };
  /** Secrets that stand in clear where they must not, each with its place: "the internal password in header authorization". */
  inClear?: string[];
  /** Patient properties found, each with place and form: "surname in the body, base64". */
  patientData?: string[];
  /** Secrets that an answer showed to a client who must not have them, each with its place and form. */
  toClient?: string[];
  /** Why the harness did not take the request for one of the server under test: it is listed and not judged. */
  stray?: string;
  /** Randomness of tokens that appear here for the first time: pseudonym to its length and an upper bound of its entropy in bits. */
  fresh?: Record<string, { kind: 'session-token' | 'exchange-token'; length: number; bits: number }>;
};
