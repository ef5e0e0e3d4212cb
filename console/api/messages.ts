/** What crossed the wires, and how it is judged. */
import type { PartyName, StateChange, Time, Wire } from './state.ts';

/** A row of the lanes. */
export type Row = Message | Remark;

/**
 * A message of one wire: a request with its reply. Ids rise in the order in which requests began. A reply to
 * the client comes after the internal call within it, so a row may come with a smaller id than the last one.
 * A message comes twice: when its request leaves, and with its reply.
 */
export type Message = {
  readonly kind: 'message';
  readonly id: number;
  readonly wire: Wire;
  readonly from: PartyName;
  readonly to: PartyName;
  /** The JSON-RPC method, or method and path of any other HTTP request, such as `GET /readyz`. */
  readonly method: string;
  /** What the message says in a few words, such as `exchangeToken, authInfo`; masked like the body. */
  readonly summary: string;
  /**
   * How it was answered in a few words, such as `not_authorized (-33000)` or `result: id`. Empty while it is
   * under way; then `endedAt` is when it left.
   */
  readonly answer: string;
  readonly outcome: Outcome;
  readonly beganAt: Time;
  readonly endedAt: Time;
  /** Clause of the interface that describes the method, such as `§4.2`. Absent for any other request. */
  readonly clause?: string;
  /** `name` of the person whom it concerns, as far as the console can tell. */
  readonly person?: string;
  /** The kit's name of the fault that was injected. */
  readonly fault?: string;
  /** Patient data that crossed toward the authorization server, each with its place. Absent: none. */
  readonly patientData?: readonly string[];
};

/**
 * `underWay`: no reply yet. `done`: a result. `refused`: a JSON-RPC error, or an HTTP status 4xx. `failed`:
 * HTTP 5xx, or no JSON-RPC reply. `broken`: no reply crossed.
 */
export type Outcome = 'underWay' | 'done' | 'refused' | 'failed' | 'broken';

/** Something that happened beside the wires: a step of a scenario, a moved clock, an armed fault. */
export type Remark = {
  readonly kind: 'remark';
  readonly id: number;
  readonly at: Time;
  readonly text: string;
};

/** A message with all that crossed. */
export type MessageDetail = Message & {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
  };
  /** Absent: no reply crossed. */
  readonly reply?: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
  };
  /** How the connection broke. */
  readonly broke?: 'refused' | 'reset' | 'closed-early' | 'timeout';
  /** What is required of this method, one sentence. Absent for any other request. */
  readonly clauseText?: string;
  /** What it changed at the two servers, as far as it is known. */
  readonly changes: readonly StateChange[];
  /** The verdicts that name this message as evidence. */
  readonly verdicts: readonly LiveVerdict[];
  /** The request as a command for bash. Masked, it cannot be sent. */
  readonly curl: string;
};

/** The verdict of one check of the kit over all that crossed so far. */
export type LiveVerdict = {
  /** Id of the check. */
  readonly check: string;
  /** The party that the check judges. */
  readonly party: PartyName;
  /** What is required, one sentence. */
  readonly title: string;
  /** Clauses of the interface, such as `§5.2`. */
  readonly clause: string;
  readonly level: 'MUST' | 'SHOULD';
  /** `warning`: a recommendation that is not followed. */
  readonly outcome: 'pass' | 'fail' | 'warning';
  /** Given where it failed. */
  readonly expected?: string;
  readonly actual?: string;
  readonly advice?: string;
  /** The party at fault, in words. */
  readonly blame?: string;
  /** The message in whose margin it stands: the newest one that shows it. */
  readonly message?: number;
  /** All messages that show it. */
  readonly evidence: readonly number[];
};

/** Patient data crossed toward the authorization server, in this message. */
export type Alarm = { readonly message: number; readonly found: readonly string[] };

/** A run.json, ready to be walked through. Its times are those of the run. */
export type Replay = {
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly mode: 'scenarios' | 'watch';
  /** The party that is judged: a saved run judges one, while live all three are. */
  readonly judged: PartyName;
  readonly rows: readonly Row[];
  /** By message id. */
  readonly details: Readonly<Record<number, MessageDetail>>;
  readonly verdicts: readonly LiveVerdict[];
};
