/** The client's only state machine: a pure function of state and event to the next state and its effects. */
import { type Failure, type Method, reasonOf } from '../calls.ts';
import { nextInEnding } from './ending.ts';
import { nextInChecking, nextInIdentify, nextInRecord } from './linking.ts';
import { nextInCode, nextInSignIn } from './sign-in.ts';
import {
  type Attribute,
  type FlowEvent,
  go,
  type Model,
  type Replied,
  type Step,
  signInStep,
  stay,
  type Transition,
} from './state.ts';

/**
 * Returns the next state. Only one call is pending at a time: until its reply, user events change nothing,
 * and a reply to any other call is dropped.
 */
export function next(model: Model, event: FlowEvent): Transition {
  const isAnswer = event.type === 'replied' || event.type === 'sign_recalled';
  if (isAnswer ? event.id !== model.waiting : model.waiting !== undefined) return stay(model);
  if (event.type === 'replied') {
    const over = sessionOver(model, event);
    if (over) return over;
  }
  return nextInStep(model, event);
}

function nextInStep(model: Model, event: FlowEvent): Transition {
  const { step } = model;
  switch (step.at) {
    case 'signIn':
      return nextInSignIn(model, step, event);
    case 'code':
      return nextInCode(model, step, event);
    case 'checking':
      return nextInChecking(model, step, event);
    case 'identify':
      return nextInIdentify(model, step, event);
    case 'record':
      return nextInRecord(model, step, event);
    case 'ending':
      return nextInEnding(model, step, event);
    case 'ended':
      return event.type === 'started_over' ? go(model, signInStep(startOverWith(step))) : stay(model);
  }
}

/** Ends an expired session whichever server reports it, unless the step handles the EHR server's report. */
function sessionOver(model: Model, event: Replied): Transition | undefined {
  const { step } = model;
  if (event.outcome.ok || !saysSessionOver(event.method, event.outcome.failure)) return undefined;
  const deleting = step.at === 'ending' && step.ending === 'delete';
  return go(model, signInStep(step.attribute, deleting ? 'session_ended_before_delete' : 'session_ended'));
}

function saysSessionOver(method: Method, failure: Failure): boolean {
  const reason = reasonOf(failure);
  // Without a session at the authorization server there is no exchange token and so no way to continue.
  if (method === 'auth.exchange_token' && reason === 'not_authorized') return true;
  return reason === 'session_expired' && failure.server === 'auth';
}

/** A user who deleted everything leaves no address behind. */
function startOverWith({ ending, attribute }: Extract<Step, { at: 'ended' }>): Attribute {
  return ending === 'delete' ? { kind: attribute.kind, value: '' } : attribute;
}
