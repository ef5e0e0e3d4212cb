/** What a run leaves behind: an ordered journal of what the harness intended and what crossed the wire. Checks read nothing else. */

/** Between whom a message crossed: the caller first. */
export type Link = 'client->auth' | 'client->ehr' | 'auth->ehr' | 'auth->sms';

/** Milliseconds since the run began. */
type At = number;

/** A scenario begins or ends. */
export type ScenarioEntry = {
  kind: 'scenario';
  seq: number;
  at: At;
  scenario: string;
  phase: 'begin' | 'end';
  /** At the end: why the scenario could not go all its way, if it could not. */
  stopped?: { because: string; blame: Party };
  /** At the end: steps that the scenario needs and the adapter declares absent; it was not played then. */
  absent?: StepName[];
};

/** The harness is about to act as the client. Everything that crosses until its {@link OutcomeEntry} belongs to it. */
export type StepEntry = {
  kind: 'step';
  seq: number;
  at: At;
  scenario: string;
  /** The end user it is done for, by the scenario's name for them. */
  actor: string;
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

export type Entry = ScenarioEntry | StepEntry | OutcomeEntry | ExchangeEntry | NoteEntry;

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
    /** The secret behind the password for which the digest is right: whose it is; absent when it is right for none that is known. */
    over?: { kind: 'exchange-token' | 'user-sign'; owner: string };
    /** When it is wrong: how it comes about, where one of the usual mistakes explains it. */
    explained?: string;
  };
  /** Secrets that stand in clear where they must not, each with its place: "the internal password in header authorization". */
  inClear?: string[];
  /** Patient properties found, each with place and form: "surname in the body, base64". */
  patientData?: string[];
  /** Randomness of tokens that appear here for the first time: pseudonym to its length and an upper bound of its entropy in bits. */
  fresh?: Record<string, { kind: 'session-token' | 'exchange-token'; length: number; bits: number }>;
};
