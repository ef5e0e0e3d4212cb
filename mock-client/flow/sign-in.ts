/** Signing in: phone or e-mail address, code, and a kept signature that the EHR server no longer knows. */
import { errorTable } from '#protocol/wire/errors.ts';
import { type Failure, reasonOf } from '../calls.ts';
import { startChecking } from './linking.ts';
import {
  ask,
  attributeParams,
  type Code,
  codeStep,
  type FlowEvent,
  go,
  type Model,
  plain,
  recall,
  type SignIn,
  signInStep,
  stay,
  type Transition,
} from './state.ts';

export function nextInSignIn(model: Model, step: SignIn, event: FlowEvent): Transition {
  if (event.type === 'attribute_submitted') return requestCode(model, signInStep(event.attribute));
  if (event.type === 'replied' && event.method === 'auth.request_otp') {
    if (event.outcome.ok) return go(model, codeStep(step.attribute, event.outcome.result, event.at));
    const { failure } = event.outcome;
    // A code has already been sent, so the user continues where it is typed.
    if (reasonOf(failure) === 'otp_throttled') {
      return go(model, { ...codeStep(step.attribute), notice: 'code_already_sent' });
    }
    return go(model, { ...step, problem: failure });
  }
  return stay(model);
}

export function nextInCode(model: Model, step: Code, event: FlowEvent): Transition {
  switch (event.type) {
    case 'code_submitted':
      return recall(model, { ...plain(step), typed: event.code }, step.attribute);
    case 'retried':
      return step.typed ? recall(model, plain(step), step.attribute) : requestCode(model, plain(step));
    case 'new_code_asked':
      return requestCode(model, { ...plain(step), typed: '' });
    case 'attribute_changed':
      return go(model, signInStep(step.attribute));
    case 'sign_recalled':
      return confirm(model, { ...step, signSent: event.sign });
    case 'replied':
      return codeReplied(model, step, event);
    default:
      return stay(model);
  }
}

function codeReplied(model: Model, step: Code, event: Extract<FlowEvent, { type: 'replied' }>): Transition {
  if (event.method === 'auth.request_otp') {
    if (!event.outcome.ok) return go(model, { ...step, problem: event.outcome.failure });
    return go(model, {
      ...codeStep(step.attribute, event.outcome.result, event.at),
      notice: 'new_code_sent',
    });
  }
  if (event.method !== 'auth.confirm_otp') return stay(model);
  if (event.outcome.ok) {
    const { authInfo, linked } = event.outcome.result;
    const { user, token, ttl } = authInfo;
    // The EHR server no longer honours the signature that was sent (decision 34).
    const isStale = step.signSent !== undefined && !linked;
    const { attribute, linkGone } = step;
    return startChecking(
      model,
      { session: { user, token, ttl }, attribute, linkGone: linkGone || isStale, reportDue: false },
      isStale ? [{ type: 'forget_sign', attribute }] : [],
    );
  }
  const { failure } = event.outcome;
  if (!step.linkGone && isLinkGone(step, failure)) {
    // The failure did not use up the code, so one more try without the signature signs the user in.
    return confirm(model, { ...step, signSent: undefined, linkGone: true }, true);
  }
  return go(model, { ...step, problem: failure });
}

function requestCode(model: Model, step: SignIn | Code): Transition {
  return ask(model, step, {
    server: 'auth',
    method: 'auth.request_otp',
    params: attributeParams(step.attribute),
  });
}

function confirm(model: Model, step: Code, forget = false): Transition {
  const params = {
    ...attributeParams(step.attribute),
    code: step.typed,
    ...(step.signSent !== undefined && { ehr_user_sign: step.signSent }),
  };
  return ask(
    model,
    step,
    { server: 'auth', method: 'auth.confirm_otp', params },
    forget ? [{ type: 'forget_sign', attribute: step.attribute }] : [],
  );
}

const LINK_GONE_CODES: readonly number[] = [errorTable.user_unknown.code, errorTable.not_authorized.code];

/**
 * Handles authorization servers that refuse a sign-in with a stale signature, where ours signs in unlinked
 * (decision 34). The link behind the signature is gone at the EHR server, for example disconnected from
 * another device. The signature may be ours, or one that the authorization server has on record and drops
 * after this refusal.
 */
function isLinkGone(step: Code, failure: Failure): boolean {
  if (failure.kind !== 'refused') return false;
  const { reason, ehr } = failure;
  if (step.signSent === undefined)
    return reason === 'ehr_refused' && ehr?.code === errorTable.user_unknown.code;
  if (reason === 'ehr_refused') return ehr === undefined || LINK_GONE_CODES.includes(ehr.code);
  return reason === 'user_unknown';
}
