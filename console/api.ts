/**
 * What the console's page and its server tell each other. All bodies are JSON; `api/bodies.ts` has the
 * schemas of those that the server takes.
 *
 * Every address below `/api/` needs the control token: the header `Authorization: Bearer TOKEN`, or the query
 * `token=TOKEN` where a browser cannot send headers (the event stream, downloads). Without it the answer is
 * 401. A foreign Host or Origin is refused with 403. A refused request is answered with a {@link Refusal}.
 *
 * | Request | Body | Answer |
 * |---|---|---|
 * | GET /api/overview | | {@link Overview} |
 * | GET /api/events | | server-sent events, see {@link Events}; each `data:` is the JSON of the named type |
 * | GET /api/messages | | {@link Row}[], oldest first, at most the newest 10,000 |
 * | GET /api/messages/ID | | {@link MessageDetail} |
 * | GET /api/messages/ID/har | | the message as HAR 1.2, a download |
 * | GET /api/state | | {@link State} |
 * | GET /api/verdicts | | {@link LiveVerdict}[] |
 * | GET /api/phone | | {@link TextMessage}[], newest first |
 * | POST /api/clock | {@link MoveClock} | {@link ClockState} |
 * | GET /api/faults | | {@link ArmedFault}[] |
 * | POST /api/faults | {@link ArmFault} | {@link ArmedFault} |
 * | DELETE /api/faults/ID | | {@link ArmedFault}[], those that are left |
 * | DELETE /api/faults | | an empty list: all are off |
 * | POST /api/text-trouble | {@link TextTrouble} | {@link TextTrouble} |
 * | POST /api/scenario | {@link PlayScenario} | {@link ScenarioState}; for `takeOver` {@link TakenOver} |
 * | GET /api/snapshots | | {@link Snapshot}[], newest first |
 * | POST /api/snapshots | {@link TakeSnapshot} | {@link Snapshot} |
 * | POST /api/snapshots/ID/restore | | {@link State} |
 * | DELETE /api/snapshots/ID | | {@link Snapshot}[], those that are left |
 * | POST /api/reset | | {@link State}; nobody is signed in, no fault is armed, the clock is right |
 * | GET /api/moment | | {@link Moment}, to be made a link |
 * | POST /api/moment | {@link Moment} | {@link ScenarioState}; resets, and opens the same situation |
 * | GET /api/run.json | | what was recorded, as the kit's run.json; always masked; a download |
 * | POST /api/replay | a run.json | {@link Replay}; nothing of the demo changes |
 *
 * `secrets=show` in the query of GET /api/events, /api/messages and /api/messages/ID shows messages in clear.
 * They are masked without it. The data is invented.
 */
import type { TextTrouble } from './api/bodies.ts';
import type { Alarm, LiveVerdict, Row } from './api/messages.ts';
import type {
  ArmedFault,
  ClockState,
  FaultKind,
  InterfaceError,
  PersonCard,
  Scenario,
  ScenarioState,
  State,
  TextMessage,
} from './api/state.ts';

export type * from './api/bodies.ts';
export type * from './api/messages.ts';
export type * from './api/state.ts';

/** Why a request was refused, with what to do. */
export type Refusal = { readonly error: { readonly reason: string; readonly message: string } };

/** Everything that the page needs at its start, and again after `reset` and after a lost connection. */
export type Overview = {
  /** Version of this package. */
  readonly version: string;
  /** Seed of the demo's population. */
  readonly seed: number;
  readonly addresses: Addresses;
  readonly clock: ClockState;
  readonly people: readonly PersonCard[];
  readonly faults: readonly ArmedFault[];
  /** What can be armed. */
  readonly faultKinds: readonly FaultKind[];
  /** The errors of the interface, for the fault `refuse`. */
  readonly errors: readonly InterfaceError[];
  readonly textTrouble: TextTrouble;
  readonly scenarios: readonly Scenario[];
  readonly scenario: ScenarioState;
  readonly alarm: Alarm | null;
  /** Given where all three parties run in the page itself: nothing has an address outside of it. */
  readonly isInPage?: true;
};

/** Where the parties are reached. All three addresses pass the recording proxies. */
export type Addresses = {
  /** The client's page, for a window of its own. */
  readonly client: string;
  /**
   * The same page below the console's own address, so that it can stand in a frame and be filled from
   * outside. Relative, such as `/client/`.
   */
  readonly clientFrame: string;
  /** Base URL of the authorization server, for a client of one's own. */
  readonly auth: string;
  /** The EHR endpoint with its version segment, for a client of one's own. */
  readonly ehr: string;
};

export type Reset = {
  /** Whether both servers were emptied: then a client that keeps what they gave it knows nobody any more. */
  readonly isEmptied: boolean;
};

/**
 * The named events of the stream. After the connection is made, the stream begins with `overview`; rows that
 * crossed before are asked for by GET /api/messages. A row may come twice: its id decides.
 */
export type Events = {
  overview: Overview;
  /** A message as soon as its request leaves, and again with its reply; or a remark. */
  row: Row;
  /** The verdict of a check when it first occurs and whenever it changes. */
  verdict: LiveVerdict;
  state: State;
  clock: ClockState;
  /** All faults that are armed, after any change. */
  faults: readonly ArmedFault[];
  /** A text message that reached the phone. */
  text: TextMessage;
  textTrouble: TextTrouble;
  scenario: ScenarioState;
  /** Patient data crossed toward the authorization server. */
  alarm: Alarm;
  /** All rows, verdicts and marks are void: ask for everything again. */
  reset: Reset;
};

/** The largest run.json that is judged. One of the kit with all its scenarios has some megabytes. */
export const MAX_RUN_BYTES = 32 * 1024 * 1024;
export const RUN_TOO_LARGE = `The file has more than ${MAX_RUN_BYTES / 1024 / 1024} MB. Please judge it by: npm run conformance -- replay FILE --report DIRECTORY`;
