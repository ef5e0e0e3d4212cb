/** The endings: at the EHR server first, at the authorization server only after its success (§4.5, §4.6). */
import { type Failure, type Outcome, reasonOf } from '../calls.ts';
import {
  ask,
  type Checking,
  credOf,
  type Ending,
  type EndingStep,
  type FlowEvent,
  go,
  type Identify,
  identifyStep,
  type Model,
  plain,
  type RecordStep,
  signInStep,
  stay,
  type Transition,
} from './state.ts';

/** The codes with which the EHR server reports that the session no longer exists. */
const SESSION_GONE_CODES: readonly number[] = [-33000, -33001];

/** Starts `ending` at the right server: at the EHR server whenever it may hold a session. */
export function startEnding(
  model: Model,
  origin: RecordStep | Identify | Checking,
  ending: Ending,
): Transition {
  const { session, attribute } = origin;
  const part = origin.at === 'identify' && origin.ehrSession === 'none' ? 'auth' : 'ehr';
  return carryOn(model, { at: 'ending', session, attribute, ending, part, ehrDone: false, origin });
}

export function nextInEnding(model: Model, step: EndingStep, event: FlowEvent): Transition {
  switch (event.type) {
    case 'retried':
      return carryOn(model, plain(step));
    case 'went_back':
      return step.ehrDone || !step.origin ? stay(model) : go(model, step.origin);
    case 'replied':
      switch (event.method) {
        case 'embedded_storage.remove_auth_info':
        case 'embedded_storage.remove_authentication':
          return ehrReplied(model, step, event.outcome);
        case 'auth.logout':
        case 'auth.delete_user':
          return authReplied(model, step, event.outcome);
        default:
          return stay(model);
      }
    default:
      return stay(model);
  }
}

function carryOn(model: Model, step: EndingStep): Transition {
  const cred = credOf(step.session);
  if (step.part === 'auth') {
    const method = step.ending === 'delete' ? 'auth.delete_user' : 'auth.logout';
    return ask(model, step, { server: 'auth', method, params: {}, cred });
  }
  const method =
    step.ending === 'logout' ? 'embedded_storage.remove_auth_info' : 'embedded_storage.remove_authentication';
  return ask(model, step, { server: 'ehr', method, params: {}, cred });
}

function ehrReplied(
  model: Model,
  step: EndingStep,
  outcome: Outcome<'embedded_storage.remove_auth_info'>,
): Transition {
  if (!outcome.ok) {
    const { failure } = outcome;
    if (failure.kind !== 'refused' || !SESSION_GONE_CODES.includes(failure.code))
      return go(model, { ...step, problem: failure });
    return go(
      model,
      identifyStep(step, step.ending === 'delete' ? 'ehr_session_gone_before_delete' : 'ehr_session_gone'),
    );
  }
  if (step.ending === 'logout') return carryOn(model, { ...step, part: 'auth', ehrDone: true });
  // The link is gone, so its signature is of no more use.
  const forget = { type: 'forget_sign', attribute: step.attribute } as const;
  if (step.ending === 'disconnect') return go(model, identifyStep(step, 'disconnected'), [forget]);
  const onward = carryOn(model, { ...step, part: 'auth', ehrDone: true });
  return { ...onward, effects: [forget, ...onward.effects] };
}

function authReplied(model: Model, step: EndingStep, outcome: Outcome<'auth.logout'>): Transition {
  if (outcome.ok || isSignedOutAlready(step, outcome.failure)) {
    return go(model, {
      at: 'ended',
      ending: step.ending === 'delete' ? 'delete' : 'logout',
      attribute: step.attribute,
      ehrDone: step.ehrDone,
    });
  }
  const { failure } = outcome;
  if (reasonOf(failure) === 'not_authorized')
    return go(model, signInStep(step.attribute, 'delete_unconfirmed'));
  return go(model, { ...step, problem: failure });
}

/** Whether the authorization server does not know the session any more, which is what logging out aims at. */
function isSignedOutAlready(step: EndingStep, failure: Failure): boolean {
  return step.ending === 'logout' && reasonOf(failure) === 'not_authorized';
}
