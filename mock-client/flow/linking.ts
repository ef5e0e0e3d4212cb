/** From a session to the record; the patient is identified to the EHR server alone (§1 rules 2 to 6). */
import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import { type Failure, isUncertain, type Outcome, type ResultOf, reasonOf } from '../calls.ts';
import { startEnding } from './ending.ts';
import { patientPropertiesOf } from './form.ts';
import {
  type Attribute,
  ask,
  type Checking,
  credOf,
  type Effect,
  type ExchangeToken,
  type FlowEvent,
  go,
  type Identify,
  identifyStep,
  type Model,
  plain,
  type RecordStep,
  type Session,
  signInStep,
  stay,
  type Transition,
} from './state.ts';

/** The codes that send a client into the exchange flow, whatever their reason (decisions, errors). */
const NOT_LINKED_CODES: readonly number[] = [-33000, -33001, -33002];

/** Reasons that say that an exchange token will never work again. */
const SPENT_TOKEN_REASONS = new Set([
  'exchange_token_expired',
  'exchange_token_unknown',
  'exchange_token_exhausted',
]);

/** Asks the EHR server for the record (§4.4). */
export function startChecking(
  model: Model,
  holder: Omit<Checking, 'at' | 'problem'>,
  effects: Effect[] = [],
): Transition {
  const cred = credOf(holder.session);
  const call = { server: 'ehr', method: 'patient.get_patient', params: {}, cred } as const;
  return ask(model, { ...holder, at: 'checking' }, call, effects);
}

export function nextInChecking(model: Model, step: Checking, event: FlowEvent): Transition {
  switch (event.type) {
    case 'retried':
      return startChecking(model, plain(step));
    case 'ending_asked':
      // Keeps the problem, so that going back shows it again instead of a pending call.
      return startEnding(model, step, event.ending);
    case 'replied':
      if (event.method === 'patient.get_patient') return recordReplied(model, step, event.outcome);
      if (event.method === 'auth.exchange_token') return renewalReplied(model, step, event.outcome, event.at);
      return stay(model);
    default:
      return stay(model);
  }
}

function recordReplied(model: Model, step: Checking, outcome: Outcome<'patient.get_patient'>): Transition {
  if (outcome.ok) return showRecord(model, step, outcome.result, step.reportDue);
  const { failure } = outcome;
  if (failure.kind !== 'refused' || !NOT_LINKED_CODES.includes(failure.code))
    return go(model, { ...step, problem: failure });
  // A session that has expired at the EHR server has most likely expired at the authorization server, too.
  // Asking that one for the exchange token first spares the user a form in vain.
  if (failure.reason === 'session_expired') return askForToken(model, step);
  return go(model, identifyStep(step, step.linkGone ? 'link_gone' : undefined));
}

function renewalReplied(
  model: Model,
  step: Checking,
  outcome: Outcome<'auth.exchange_token'>,
  at: number,
): Transition {
  if (outcome.ok) return go(model, identifyStep(step, 'ehr_session_gone', tokenFrom(outcome.result, at)));
  // The EHR server does not accept the token of an expired session again (decision 12).
  if (reasonOf(outcome.failure) === 'ehr_refused')
    return go(model, signInStep(step.attribute, 'session_ended'));
  return go(model, { ...step, problem: outcome.failure });
}

export function nextInIdentify(model: Model, step: Identify, event: FlowEvent): Transition {
  switch (event.type) {
    case 'form_submitted':
      return identify(model, usableAt(event.at, { ...plain(step), draft: event.draft }));
    case 'ending_asked':
      return event.ending === 'logout' ? startEnding(model, plain(step), 'logout') : stay(model);
    case 'replied':
      if (event.method === 'auth.exchange_token') return tokenReplied(model, step, event.outcome, event.at);
      if (event.method === 'embedded_storage.authenticate')
        return authenticateReplied(model, step, event.outcome);
      return stay(model);
    default:
      return stay(model);
  }
}

/** Continues with the exchange token at hand, or fetches one first. */
function identify(model: Model, step: Identify): Transition {
  const { draft, exchangeToken } = step;
  if (!draft) return stay(model);
  if (!exchangeToken) return askForToken(model, step);
  return ask(model, step, {
    server: 'ehr',
    method: 'embedded_storage.authenticate',
    params: { exchangeToken: exchangeToken.value, patientProperties: patientPropertiesOf(draft) },
  });
}

function askForToken(model: Model, step: Checking | Identify): Transition {
  const cred = credOf(step.session);
  return ask(model, step, { server: 'auth', method: 'auth.exchange_token', params: {}, cred });
}

function tokenReplied(
  model: Model,
  step: Identify,
  outcome: Outcome<'auth.exchange_token'>,
  at: number,
): Transition {
  if (!outcome.ok) return go(model, { ...step, problem: outcome.failure });
  return identify(model, { ...step, exchangeToken: tokenFrom(outcome.result, at) });
}

function tokenFrom({ exchangeToken }: ResultOf<'auth.exchange_token'>, at: number): ExchangeToken {
  return { value: exchangeToken, until: at + EXCHANGE_TOKEN_LIFETIME_MS };
}

/** Removes an expired exchange token, so that none is sent in vain (§1 rule 5). */
function usableAt(now: number, step: Identify): Identify {
  return step.exchangeToken && now >= step.exchangeToken.until ? { ...step, exchangeToken: undefined } : step;
}

function authenticateReplied(
  model: Model,
  step: Identify,
  outcome: Outcome<'embedded_storage.authenticate'>,
): Transition {
  if (outcome.ok) {
    if (outcome.result) return showRecord(model, step, outcome.result, true);
    const { session, attribute } = step;
    return startChecking(model, { session, attribute, linkGone: false, reportDue: true });
  }
  const { failure } = outcome;
  return go(model, {
    ...step,
    problem: failure,
    exchangeToken: isSpent(failure) ? undefined : step.exchangeToken,
    ehrSession: isUncertain(failure) ? 'unsure' : step.ehrSession,
  });
}

function isSpent(failure: Failure): boolean {
  const reason = reasonOf(failure);
  return reason !== undefined && SPENT_TOKEN_REASONS.has(reason);
}

/** Shows the record and keeps its signature. With `reportDue` reports the link (§1 rule 6). */
function showRecord(
  model: Model,
  { session, attribute }: { session: Session; attribute: Attribute },
  reply: ResultOf<'patient.get_patient'>,
  reportDue: boolean,
): Transition {
  const { patient, user_sign: userSign } = reply;
  const keep = { type: 'keep_sign', attribute, sign: userSign } as const;
  const step: RecordStep = { at: 'record', session, attribute, patient, userSign, report: 'done' };
  return reportDue ? reportLink(model, step, [keep]) : go(model, step, [keep]);
}

export function nextInRecord(model: Model, step: RecordStep, event: FlowEvent): Transition {
  if (event.type === 'retried')
    return step.report === 'failed' ? reportLink(model, plain(step)) : stay(model);
  if (event.type === 'ending_asked') return startEnding(model, step, event.ending);
  if (event.type !== 'replied' || event.method !== 'auth.report_link') return stay(model);
  if (event.outcome.ok) return go(model, { ...plain(step), report: 'done' });
  return go(model, { ...step, report: 'failed', problem: event.outcome.failure });
}

function reportLink(model: Model, step: RecordStep, effects: Parameters<typeof ask>[3] = []): Transition {
  const { userSign, session } = step;
  const params = { user_sign: userSign };
  const call = { server: 'auth', method: 'auth.report_link', params, cred: credOf(session) } as const;
  return ask(model, { ...step, report: 'sending' }, call, effects);
}
