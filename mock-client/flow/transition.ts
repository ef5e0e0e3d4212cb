/** The basic transitions of which every part of the state machine is built. */
import type { Call } from '../calls.ts';
import type { Attribute, Effect, Model, Session, Step, Transition } from './state.ts';

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
