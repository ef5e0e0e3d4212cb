/** The few moves every part of the state machine is made of. */
import type { Call } from '../calls.ts';
import type { Attribute, Effect, Model, Session, Step, Transition } from './state.ts';

/** Nothing happens. */
export function stay(model: Model): Transition {
  return { model, effects: [] };
}

/** Moves to `step` and waits for the user. */
export function go(model: Model, step: Step, effects: Effect[] = []): Transition {
  return { model: { ...model, step, waiting: undefined }, effects };
}

/** Moves to `step`, makes `call` and waits for its reply. */
export function ask(model: Model, step: Step, call: Call, effects: Effect[] = []): Transition {
  const id = model.asked + 1;
  return { model: { step, waiting: id, asked: id }, effects: [...effects, { type: 'call', id, call }] };
}

/** Moves to `step` and waits for the signature kept for `attribute`. */
export function recall(model: Model, step: Step, attribute: Attribute): Transition {
  const id = model.asked + 1;
  return { model: { step, waiting: id, asked: id }, effects: [{ type: 'recall_sign', id, attribute }] };
}

/** The credentials of a session, as the two servers take them (§5.4). */
export function credOf({ user, token }: Session): { user: string; token: string } {
  return { user, token };
}

/** The member of an authorization call that names what the user owns. */
export function attributeParams({ kind, value }: Attribute): { phone: string } | { email: string } {
  return kind === 'phone' ? { phone: value } : { email: value };
}
