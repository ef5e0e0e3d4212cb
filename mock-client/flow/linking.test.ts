import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { at, cardDraft, cred, draft, patient, phone, refused, sessionCall } from './testing/walk.ts';

proves(
  ['4.4-caller', '2.1-cred-sent'],
  'a linked user sees the record at once, and its signature is kept',
  () => {
    const visit = at.checking();
    expect(visit.call()).toEqual(sessionCall('patient.get_patient'));
    visit.succeed();
    expect(visit.step('record')).toMatchObject({ patient, userSign: 'sign-1', report: 'done' });
    expect(visit.kept()).toBe('sign-1');
  },
);

proves(['1-form-on-refusal', 'DE-client-form-when-expired'], 'the form is shown on -33000 to -33002', () => {
  for (const code of [-33000, -33001, -33002]) {
    const failure = { ...refused('ehr', 'not_authorized'), code, reason: undefined };
    expect(at.checking().settle({ ok: false, failure }).step('identify').problem).toBeUndefined();
  }
  for (const reason of [
    'not_authorized',
    'exchange_token_unknown',
    'exchange_token_expired',
    'exchange_token_exhausted',
  ] as const)
    expect(at.checking().fail(reason).step('identify').ehrSession).toBe('none');
});

test('any other failure to open the record is told, and can be tried again', () => {
  for (const visit of [
    at.checking().fail('internal_error'),
    at.checking().fail('patient_not_matched'),
    at.checking().failBy('timeout'),
  ]) {
    expect(visit.step('checking').problem).toBeDefined();
    visit.retry();
    expect(visit.call().method).toBe('patient.get_patient');
    expect(visit.step('checking').problem).toBeUndefined();
  }
});

proves(['DE-client-starts-exchange'], 'an expired session at the EHR server starts the exchange', () => {
  const ended = at.checking().fail('session_expired');
  expect(ended.call()).toEqual(sessionCall('auth.exchange_token'));
  expect(ended.fail('session_expired').step('signIn')).toEqual({
    at: 'signIn',
    attribute: phone,
    notice: 'session_ended',
  });

  const refusedThere = at.checking().fail('session_expired').fail('ehr_refused', 'token_already_stored');
  expect(refusedThere.step('signIn').notice).toBe('session_ended');

  const alive = at.checking().fail('session_expired').succeed();
  expect(alive.step('identify')).toMatchObject({
    notice: 'ehr_session_gone',
    exchangeToken: { value: 'exchange-token-1' },
  });

  const slow = at.checking().fail('session_expired').failBy('timeout');
  expect(slow.step('checking').problem).toMatchObject({ kind: 'timeout', server: 'auth' });
});

proves(
  [
    '1-exchange-token-requested',
    '1-properties-straight-to-ehr',
    '2.4-parameter-name',
    '4.3-params',
    '5.4-authenticate-no-cred',
    '2.5-names',
    '2.5-date',
    '2.5-gender',
    '2.5-phone',
  ],
  'the form asks for an exchange token, then sends both to the EHR server',
  () => {
    const visit = at.identify().submit();
    expect(visit.call()).toEqual(sessionCall('auth.exchange_token'));
    visit.succeed();
    expect(visit.call()).toEqual({
      server: 'ehr',
      method: 'embedded_storage.authenticate',
      params: {
        exchangeToken: 'exchange-token-1',
        patientProperties: {
          name: 'CanaryName',
          surname: 'CanarySurname',
          date: '1985-04-12 00:00:00.000',
          gender: 1,
          phone: '70001112233',
        },
      },
    });
  },
);

test('an unstated gender is not sent, and a card goes with the phone', () => {
  const unstated = at
    .identify()
    .submit(0, { ...draft, gender: undefined })
    .succeed();
  expect(unstated.call().params).not.toHaveProperty('patientProperties.gender');
  const card = at.identify().submit(0, cardDraft).succeed();
  expect(card.call().params).toMatchObject({
    patientProperties: { searchStrategy: 'MEDCARD', medCardId: 'CanaryCard', phone: '70001112233' },
  });
  expect(JSON.stringify(card.call())).not.toContain('surname');
});

proves(['1-auth-told-of-link'], 'a successful match shows the record and is reported', () => {
  const visit = at.authenticate().succeed();
  expect(visit.step('record')).toMatchObject({ patient, report: 'sending' });
  expect(visit.kept()).toBe('sign-1');
  expect(visit.call()).toEqual({
    server: 'auth',
    method: 'auth.report_link',
    params: { user_sign: 'sign-1' },
    cred,
  });
  expect(visit.succeed().step('record').report).toBe('done');
});

test('a match without a record is followed by the question for it, and reported', () => {
  const visit = at.authenticate().settle({ ok: true, result: undefined });
  expect(visit.call()).toEqual(sessionCall('patient.get_patient'));
  expect(visit.reload().succeed().step('record')).toMatchObject({ patient, report: 'sending' });
  expect(visit.call()).toMatchObject({ method: 'auth.report_link', params: { user_sign: 'sign-1' } });
});

test('a failed report leaves the record on screen, and can be repeated', () => {
  for (const visit of [
    at.authenticate().succeed().fail('ehr_unreachable'),
    at.authenticate().succeed().fail('user_unknown'),
    at.authenticate().succeed().failBy('unreachable'),
  ]) {
    expect(visit.step('record')).toMatchObject({ patient, report: 'failed', problem: { server: 'auth' } });
    visit.retry();
    expect(visit.call().method).toBe('auth.report_link');
    expect(visit.succeed().step('record')).toMatchObject({ report: 'done' });
    expect(visit.step('record').problem).toBeUndefined();
  }
});

test('after a failed match the corrected form goes out with the same exchange token', () => {
  const visit = at.authenticate().fail('patient_not_matched');
  expect(visit.step('identify')).toMatchObject({ draft, problem: { reason: 'patient_not_matched' } });
  visit.submit(599_999, { ...draft, name: 'CanaryOther' });
  expect(visit.call()).toMatchObject({
    method: 'embedded_storage.authenticate',
    params: { exchangeToken: 'exchange-token-1', patientProperties: { name: 'CanaryOther' } },
  });
});

for (const reason of [
  'exchange_token_expired',
  'exchange_token_unknown',
  'exchange_token_exhausted',
] as const)
  proves(
    ['K-client-exchange-token-spent'],
    `after ${reason} the next try fetches a new exchange token`,
    () => {
      const visit = at.authenticate().fail(reason);
      expect(visit.step('identify')).toMatchObject({ exchangeToken: undefined, problem: { reason } });
      visit.submit();
      expect(visit.call().method).toBe('auth.exchange_token');
      visit.succeed({ exchangeToken: 'exchange-token-2' });
      expect(visit.call().params).toMatchObject({ exchangeToken: 'exchange-token-2' });
    },
  );

proves(['1-authenticate-in-time'], 'an exchange token of ten minutes ago is not sent any more', () => {
  const visit = at.authenticate().fail('patient_not_matched').submit(600_000);
  expect(visit.call().method).toBe('auth.exchange_token');
});

for (const reason of [
  'patient_already_matched',
  'patient_already_linked',
  'token_already_stored',
  'invalid_params',
] as const)
  proves(['7-client-handles-errors'], `${reason} is told at the form`, () =>
    expect(at.authenticate().fail(reason).step('identify').problem).toMatchObject({ reason }),
  );

test('a refused exchange token is told at the form, which stays filled', () => {
  const visit = at.identify().submit().fail('ehr_unreachable');
  expect(visit.step('identify')).toMatchObject({
    draft,
    exchangeToken: undefined,
    problem: { reason: 'ehr_unreachable' },
  });
});
