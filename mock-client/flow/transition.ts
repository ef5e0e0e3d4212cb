/** The basic transitions and the initial steps of which every part of the state machine is built. */
import type { Call } from '../calls.ts';
import type {
  Attribute,
  Code,
  Effect,
  ExchangeToken,
  Identify,
  Model,
  Notice,
  Session,
  SignIn,
  Step,
  Transition,
} from './state.ts';

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

/**
 * Returns the step where the code is typed. `promised` is the answer of `auth.request_otp` at the time `at`.
 */
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
