import { expect, test } from 'vitest';
import type { Method } from '../calls.ts';
import { next } from './machine.ts';
import type { Model, Replied, UserEvent } from './state.ts';
import { at, draft, phone, refused, results, type Walk, walk } from './testing/walk.ts';

const userEvents: { [Type in UserEvent['type']]: Extract<UserEvent, { type: Type }> } = {
  attribute_submitted: { type: 'attribute_submitted', attribute: phone },
  code_submitted: { type: 'code_submitted', code: '402913' },
  new_code_asked: { type: 'new_code_asked' },
  attribute_changed: { type: 'attribute_changed' },
  form_submitted: { type: 'form_submitted', draft, at: 0 },
  ending_asked: { type: 'ending_asked', ending: 'logout' },
  retried: { type: 'retried' },
  went_back: { type: 'went_back' },
  started_over: { type: 'started_over' },
};
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
