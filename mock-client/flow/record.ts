/** Shows the record, and reports a new link to the authorization server (§1 rule 6). */
import type { ResultOf } from '../calls.ts';
import { startEnding } from './ending.ts';
import type { Attribute, FlowEvent, Model, RecordStep, Session, Transition } from './state.ts';
import { ask, credOf, go, stay } from './transition.ts';

/**
 * Shows the record and keeps its signature. With `reportDue` also reports the link to the authorization
 * server.
 */
export function showRecord(
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

function plain({ problem: _problem, ...step }: RecordStep): RecordStep {
  return step;
}
