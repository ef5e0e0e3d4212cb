/** The states of the client's only flow, its events and effects: plain data; and the basic transitions. */
import type { Patient } from '#protocol/wire/fields.ts';
import type { Call, Failure, Method, Outcome } from '../calls.ts';

/** What the user proves to own at sign-in. `value` is normalised: digits of a phone, or an e-mail address. */
export type Attribute = { kind: 'phone' | 'email'; value: string };

/** A session as `auth.confirm_otp` returns it. `ttl` is in the unit that the servers are set to. */
export type Session = { user: string; token: string; ttl: number };

/** The submitted identification form. It is valid, and never sent to the authorization server. */
export type Draft = {
  strategy: 'PHONE' | 'MEDCARD';
  name: string;
  surname: string;
  /** `YYYY-MM-DD`, or empty when the card identifies the patient. */
  date: string;
  /** Undefined when the user does not state it. */
  gender: 0 | 1 | 2 | 3 | undefined;
  phone: string;
  medCardId: string;
};

/** A success or other news for the user, shown once at the step where they arrive. */
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

/** How far the link made by the identification form has been reported to the authorization server. */
export type Report = 'done' | 'sending' | 'failed';

export type SignIn = { at: 'signIn'; attribute: Attribute; problem?: Failure; notice?: Notice };
export type Code = {
  at: 'code';
  attribute: Attribute;
  /** Length of the code. Undefined when the server has not stated it. */
  digits: number | undefined;
  /** When another code may be requested, in milliseconds on the client's clock. The server decides. */
  resendAt: number | undefined;
  /** The code last submitted, for a retry without typing. */
  typed: string;
  /** The kept signature that was sent with the code. The EHR server may no longer honour it. */
  signSent: string | undefined;
  linkGone: boolean;
  problem?: Failure;
  notice?: Notice;
};

type Holder = { session: Session; attribute: Attribute };

export type Checking = Holder & { at: 'checking'; linkGone: boolean; reportDue: boolean; problem?: Failure };

/** `until` is the expiry time in milliseconds on the client's clock. The EHR server decides. */
export type ExchangeToken = { value: string; until: number };
export type Identify = Holder & {
  at: 'identify';
  /** Kept after a failed match. Dropped when the EHR server says that it cannot be used any more. */
  exchangeToken: ExchangeToken | undefined;
  draft: Draft | undefined;
  /** `unsure` after an authenticate without a reply: the EHR server may hold a session now. */
  ehrSession: 'none' | 'unsure';
  problem?: Failure;
  notice?: Notice;
};
export type RecordStep = Holder & {
  at: 'record';
  patient: Patient;
  userSign: string;
  report: Report;
  problem?: Failure;
};
export type EndingStep = Holder & {
  at: 'ending';
  ending: Ending;
  /** The server being called. The EHR server always comes first when it may hold a session. */
  part: 'ehr' | 'auth';
  ehrDone: boolean;
  /** The step to return to while nothing has been ended yet. Undefined after a reload. */
  origin: RecordStep | Identify | Checking | undefined;
  problem?: Failure;
};
export type Ended = {
  at: 'ended';
  ending: Exclude<Ending, 'disconnect'>;
  attribute: Attribute;
  /** Whether the EHR server has ended a session too: then there are records that stay connected. */
  ehrDone: boolean;
};

export type Step = SignIn | Code | Checking | Identify | RecordStep | EndingStep | Ended;

export type Model = {
  step: Step;
  /** The id of the pending call. User events wait until it is answered. */
  waiting: number | undefined;
  /** Number of calls so far. The next call gets the next number as its id. */
  asked: number;
};

export type UserEvent =
  | { type: 'attribute_submitted'; attribute: Attribute }
  | { type: 'code_submitted'; code: string }
  | { type: 'new_code_asked' }
  | { type: 'attribute_changed' }
  /** `at` is the time of the event in milliseconds. */
  | { type: 'form_submitted'; draft: Draft; at: number }
  | { type: 'ending_asked'; ending: Ending }
  | { type: 'retried' }
  | { type: 'went_back' }
  | { type: 'started_over' };

/** The reply to call `id`, which arrived at `at` (milliseconds). */
export type Replied = {
  [M in Method]: { type: 'replied'; id: number; at: number; method: M; outcome: Outcome<M> };
}[Method];
export type SignRecalled = { type: 'sign_recalled'; id: number; sign: string | undefined };
export type FlowEvent = UserEvent | Replied | SignRecalled;

/** A request of a transition to the outside world. `id` is returned with the answer. */
export type Effect =
  | { type: 'call'; id: number; call: Call }
  | { type: 'recall_sign'; id: number; attribute: Attribute }
  | { type: 'keep_sign'; attribute: Attribute; sign: string }
  | { type: 'forget_sign'; attribute: Attribute };

export type Transition = { model: Model; effects: Effect[] };

/** Changes nothing. */
export function stay(model: Model): Transition {
  return { model, effects: [] };
}

/** Goes to `step` and waits for the user. */
export function go(model: Model, step: Step, effects: Effect[] = []): Transition {
  return { model: { ...model, step, waiting: undefined }, effects };
}

/** Goes to `step`, makes `call` and waits for its reply. */
export function ask(model: Model, step: Step, call: Call, effects: Effect[] = []): Transition {
  const id = model.asked + 1;
  return { model: { step, waiting: id, asked: id }, effects: [...effects, { type: 'call', id, call }] };
}

/** Goes to `step` and waits for the signature stored for `attribute`. */
export function recall(model: Model, step: Step, attribute: Attribute): Transition {
  const id = model.asked + 1;
  return { model: { step, waiting: id, asked: id }, effects: [{ type: 'recall_sign', id, attribute }] };
}

/** Returns the step without what was told at it. */
export function plain<S extends Step>(step: S): Omit<S, 'problem' | 'notice'> {
  const { problem: _problem, notice: _notice, ...rest } = step as S & { problem?: Failure; notice?: Notice };
  return rest;
}

/** Returns the credentials of a session, as both servers expect them (§5.4). */
export function credOf({ user, token }: Session): { user: string; token: string } {
  return { user, token };
}

/** Returns the parameter of an authorization call that names the user's phone or e-mail address. */
export function attributeParams({ kind, value }: Attribute): { phone: string } | { email: string } {
  return kind === 'phone' ? { phone: value } : { email: value };
}

/** The start of a visitor without any history. */
export const EMPTY_ATTRIBUTE: Attribute = { kind: 'phone', value: '' };

/** Returns the first step, with the attribute typed before. */
export function signInStep(attribute: Attribute, notice?: Notice): SignIn {
  return { at: 'signIn', attribute, ...(notice && { notice }) };
}

/** The step where the code is typed. `promised` is the answer of `auth.request_otp` at the time `at`. */
export function codeStep(
  attribute: Attribute,
  promised?: { digits: number; resendAfter: number },
  at = 0,
): Code {
  return {
    at: 'code',
    attribute,
    digits: promised?.digits,
    resendAt: promised && at + promised.resendAfter * 1000,
    typed: '',
    signSent: undefined,
    linkGone: false,
  };
}

/** Returns the empty identification form. */
export function identifyStep(
  { session, attribute }: Pick<Identify, 'session' | 'attribute'>,
  notice?: Notice,
  exchangeToken?: ExchangeToken,
): Identify {
  return {
    at: 'identify',
    session,
    attribute,
    exchangeToken,
    draft: undefined,
    ehrSession: 'none',
    ...(notice && { notice }),
  };
}
