/** The states of the client's one flow, the events that move it and the effects it asks for: all plain data. */
import type { Patient } from '#protocol/fields.ts';
import type { Call, Failure, Method, Outcome } from '../calls.ts';

/** What the user proves to own at sign-in. `value` is normalised: digits of a phone, or an e-mail address. */
export type Attribute = { kind: 'phone' | 'email'; value: string };

/** A session as `auth.confirm_otp` gives it. `ttl` counts in the unit the servers are set to. */
export type Session = { user: string; token: string; ttl: number };

/** The identification form as it was submitted: valid, and never meant for the authorization server. */
export type Draft = {
  strategy: 'PHONE' | 'MEDCARD';
  name: string;
  surname: string;
  /** `YYYY-MM-DD`, or empty when the card identifies the patient. */
  date: string;
  /** Undefined when the user does not say. */
  gender: 0 | 1 | 2 | 3 | undefined;
  phone: string;
  medCardId: string;
};

/** Something that went well, or that the user should know, said once at the step where they arrive. */
export type Notice =
  | 'session_ended'
  | 'session_ended_before_delete'
  | 'delete_unconfirmed'
  | 'new_code_sent'
  | 'code_already_sent'
  | 'link_gone'
  | 'disconnected'
  | 'ehr_session_gone'
  | 'ehr_session_gone_before_delete';

/** The ways to end: this session, the link to the records, or everything. */
export type Ending = 'logout' | 'disconnect' | 'delete';

/** How far the authorization server knows of a link that the identification form made. */
export type Report = 'done' | 'sending' | 'failed';

export type SignIn = { at: 'signIn'; attribute: Attribute; problem?: Failure; notice?: Notice };
export type Code = {
  at: 'code';
  attribute: Attribute;
  /** How long the code is; undefined when the server has not said. */
  digits: number | undefined;
  /** When another code may be asked for, in milliseconds on the client's clock; the server decides. */
  resendAt: number | undefined;
  /** The code last submitted, for trying again without typing. */
  typed: string;
  /** The kept signature that went with it; the EHR server may no longer honour it. */
  signSent: string | undefined;
  linkGone: boolean;
  problem?: Failure;
  notice?: Notice;
};

type Holder = { session: Session; attribute: Attribute };

export type Checking = Holder & { at: 'checking'; linkGone: boolean; reportDue: boolean; problem?: Failure };

/** `until` is when it will have run out, in milliseconds on the client's clock; the EHR server decides. */
export type ExchangeToken = { value: string; until: number };
export type Identify = Holder & {
  at: 'identify';
  /** Kept after a failed match, dropped when the EHR server says it is of no more use. */
  exchangeToken: ExchangeToken | undefined;
  draft: Draft | undefined;
  /** `unsure` after an authenticate whose outcome never came: the EHR server may hold a session now. */
  ehrSession: 'none' | 'unsure';
  problem?: Failure;
  notice?: Notice;
};
export type Record = Holder & { at: 'record'; patient: Patient; userSign: string; report: Report; problem?: Failure };
export type EndingStep = Holder & {
  at: 'ending';
  ending: Ending;
  /** Which server is being asked; the EHR server always comes first when it may hold a session. */
  part: 'ehr' | 'auth';
  ehrDone: boolean;
  /** Where to go back to while nothing has been ended yet; undefined after a reload. */
  origin: Record | Identify | Checking | undefined;
  problem?: Failure;
};
export type Ended = { at: 'ended'; ending: Exclude<Ending, 'disconnect'>; attribute: Attribute };

export type Step = SignIn | Code | Checking | Identify | Record | EndingStep | Ended;

export type Model = {
  step: Step;
  /** The number of the one question still out; user events wait until it is answered. */
  waiting: number | undefined;
  /** How many questions were asked: the next one gets the next number. */
  asked: number;
};

export type UserEvent =
  | { type: 'attribute_submitted'; attribute: Attribute }
  | { type: 'code_submitted'; code: string }
  | { type: 'new_code_asked' }
  | { type: 'attribute_changed' }
  /** `at` is when, in milliseconds. */
  | { type: 'form_submitted'; draft: Draft; at: number }
  | { type: 'ending_asked'; ending: Ending }
  | { type: 'retried' }
  | { type: 'went_back' }
  | { type: 'started_over' };

/** The reply to call `id`; `at` is when it came, in milliseconds. */
export type Replied = {
  [M in Method]: { type: 'replied'; id: number; at: number; method: M; outcome: Outcome<M> };
}[Method];
export type SignRecalled = { type: 'sign_recalled'; id: number; sign: string | undefined };
export type FlowEvent = UserEvent | Replied | SignRecalled;

/** What a transition asks the outside world for. `id` comes back with the answer. */
export type Effect =
  | { type: 'call'; id: number; call: Call }
  | { type: 'recall_sign'; id: number; attribute: Attribute }
  | { type: 'keep_sign'; attribute: Attribute; sign: string }
  | { type: 'forget_sign'; attribute: Attribute };

export type Transition = { model: Model; effects: Effect[] };
