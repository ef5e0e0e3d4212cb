import { expect, test } from 'vitest';
import { isUncertain, type Method } from '../calls.ts';
import { next } from './machine.ts';
import { boot } from './memory.ts';
import type { Model, Replied, UserEvent } from './state.ts';
import {
  at,
  CANARIES,
  cred,
  phone,
  refused,
  results,
  session,
  sessionCall,
  userEvents,
  type Walk,
  walk,
} from './testing/walk.ts';

const methods = (calls: { method: string }[]) => calls.map((call) => call.method);

test('a session that the authorization server no longer knows leads back to sign-in', () => {
  for (const reason of ['session_expired', 'not_authorized'] as const) {
    const visit = at.identify().submit().fail(reason);
    expect(visit.step('signIn')).toEqual({ at: 'signIn', attribute: phone, notice: 'session_ended' });
  }
  expect(at.authenticate().succeed().fail('session_expired').step('signIn').notice).toBe('session_ended');
  expect(at.identify().end('logout').fail('session_expired').step('signIn').notice).toBe('session_ended');
});

test('a reply to a call that is not out changes nothing', () => {
  const checking = at.checking();
  const model = checking.model();
  const stale = {
    type: 'replied',
    id: (model.waiting ?? 0) - 1,
    at: 0,
    method: 'patient.get_patient',
    outcome: { ok: true, result: results['patient.get_patient'] },
  } as const;
  expect(next(model, stale)).toEqual({ model, effects: [] });
  expect(next(model, { ...stale, id: model.waiting ?? 0 }).model.step.at).toBe('record');
  const idle = at.record().model();
  expect(next(idle, { type: 'sign_recalled', id: idle.asked, sign: 'sign-2' })).toEqual({
    model: idle,
    effects: [],
  });
});

test('while a call is out, nothing the user does changes anything', () => {
  for (const visit of [
    at.checking(),
    at.authenticate(),
    at.authenticate().succeed(),
    at.record().end('logout'),
  ])
    for (const event of Object.values(userEvents))
      expect(next(visit.model(), event)).toEqual({ model: visit.model(), effects: [] });
});

test('a reload goes on where the session stands, and asks for the record first', () => {
  const record = at.record().reload();
  expect(record.call()).toMatchObject({ method: 'patient.get_patient', cred });
  expect(record.succeed().step('record').report).toBe('done');

  const form = at.identify().reload().fail('not_authorized');
  expect(form.step('identify')).toMatchObject({ session, attribute: phone, draft: undefined });
});

test('a reload before the link was reported reports it once the record is there', () => {
  for (const visit of [
    at.authenticate(),
    at.authenticate().succeed(),
    at.authenticate().succeed().fail('ehr_timeout'),
  ]) {
    visit.reload().succeed();
    expect(visit.call()).toMatchObject({ method: 'auth.report_link', params: { user_sign: 'sign-1' } });
  }
});

test('a first visit begins with an empty phone, a later one with its record', () => {
  expect(boot(undefined)).toEqual({
    model: { step: { at: 'signIn', attribute: { kind: 'phone', value: '' } }, waiting: undefined, asked: 0 },
    effects: [],
  });
  const call = sessionCall('patient.get_patient');
  expect(boot({ at: 'session', attribute: phone, session, reportDue: false }).effects).toEqual([
    { type: 'call', id: 1, call },
  ]);
});

test('a reload at the code step stays there', () =>
  expect(at.code().reload().step('code')).toMatchObject({ attribute: phone, digits: 6 }));

test('a reload in an ending goes on from what is known to be done', () => {
  const asked = at.record().end('delete');
  expect(methods(asked.reload().calls().slice(-1))).toEqual(['patient.get_patient']);

  const halfway = at.record().end('delete').succeed().failBy('unreachable').reload();
  expect(halfway.step('ending')).toMatchObject({ ending: 'delete', part: 'auth', ehrDone: true });
  expect(halfway.model().waiting).toBeUndefined();
  halfway.retry();
  expect(halfway.call().method).toBe('auth.delete_user');
  expect(halfway.succeed().step('ended').ending).toBe('delete');
});

test('a reload during an ending loses no unreported link', () => {
  const isReported = (visit: Walk) => {
    visit.end('logout').failBy('unreachable').reload();
    return visit.succeed().call()?.method === 'auth.report_link';
  };
  // The record with a failed report, the form with a lost answer, and the record while it is asked for again.
  expect(isReported(at.authenticate().succeed().fail('ehr_timeout'))).toBe(true);
  expect(isReported(at.authenticate().failBy('timeout'))).toBe(true);
  expect(isReported(at.authenticate().succeed().fail('ehr_timeout').reload().failBy('timeout'))).toBe(true);
  for (const nothingDue of [at.authenticate().succeed().succeed(), at.checking().failBy('timeout')]) {
    nothingDue.end('logout').failBy('unreachable').reload().succeed();
    expect(nothingDue.step('record').report).toBe('done');
  }
});

test('nothing of the patient outlives a reload of the page', () => {
  for (const visit of [at.authenticate(), at.authenticate().fail('patient_not_matched'), at.record()]) {
    const fresh = JSON.stringify(visit.reload().model());
    for (const canary of CANARIES) expect(fresh).not.toContain(canary);
  }
});

test('only a refusal with a known reason is certain', () => {
  expect(isUncertain(refused('ehr', 'patient_not_matched'))).toBe(false);
  expect(isUncertain(refused('ehr', 'internal_error'))).toBe(true);
  expect(isUncertain({ kind: 'timeout', server: 'ehr' })).toBe(true);
  expect(isUncertain({ kind: 'http', server: 'ehr', status: 503 })).toBe(true);
});

const idle: [string, Walk, UserEvent['type'][]][] = [
  ['sign-in', walk(), ['attribute_submitted']],
  ['the code', at.code(), ['code_submitted', 'new_code_asked', 'attribute_changed', 'retried']],
  ['a record that did not come', at.checking().failBy('timeout'), ['retried', 'ending_asked']],
  ['the form', at.identify(), ['form_submitted', 'ending_asked']],
  ['the record', at.record(), ['ending_asked']],
  ['a link not reported', at.authenticate().succeed().fail('ehr_timeout'), ['retried', 'ending_asked']],
  ['an ending that failed', at.record().end('logout').failBy('timeout'), ['retried', 'went_back']],
  ['the end', at.record().end('logout').succeed().succeed(), ['started_over']],
];
for (const [where, visit, taken] of idle)
  test(`what does not belong to a step changes nothing: at ${where}, from the user`, () => {
    for (const event of Object.values(userEvents)) {
      const after = next(visit.model(), event);
      const unchanged = { model: visit.model(), effects: [] };
      if (taken.includes(event.type)) expect(after, event.type).not.toEqual(unchanged);
      else expect(after, event.type).toEqual(unchanged);
    }
  });

const ALL = Object.keys(results) as Method[];
const waiting: [string, Walk, Method[]][] = [
  ['sign-in', walk().send(userEvents.attribute_submitted), ['auth.request_otp']],
  ['the code', at.code().send(userEvents.code_submitted), ['auth.request_otp', 'auth.confirm_otp']],
  ['the check for a record', at.checking(), ['patient.get_patient', 'auth.exchange_token']],
  ['the form', at.authenticate(), ['embedded_storage.authenticate', 'auth.exchange_token']],
  ['the record', at.authenticate().succeed(), ['auth.report_link']],
  [
    'an ending',
    at.record().end('logout'),
    [
      'embedded_storage.remove_auth_info',
      'embedded_storage.remove_authentication',
      'auth.logout',
      'auth.delete_user',
    ],
  ],
];
for (const [where, visit, taken] of waiting)
  test(`what does not belong to a step changes nothing: at ${where}, as an answer`, () => {
    const model = visit.model();
    const id = model.waiting as number;
    const unchanged: { model: Model; effects: [] } = { model, effects: [] };
    for (const method of ALL)
      for (const outcome of [
        { ok: true, result: results[method] },
        { ok: false, failure: refused('ehr', 'internal_error') },
      ] as const) {
        const after = next(model, { type: 'replied', id, at: 0, method, outcome } as Replied);
        if (taken.includes(method)) expect(after, method).not.toEqual(unchanged);
        else expect(after, method).toEqual(unchanged);
      }
    if (where !== 'the code')
      expect(next(model, { type: 'sign_recalled', id, sign: 'sign-9' })).toEqual(unchanged);
  });
