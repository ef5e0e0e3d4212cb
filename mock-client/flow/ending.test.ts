import { expect, test } from 'vitest';
import type { Reason } from '#protocol/wire/errors.ts';
import { proves } from '#testing/proves.ts';
import { at, phone, sessionCall, type Walk } from './testing/walk.ts';

const methodsSince = (visit: Walk, count: number) =>
  visit
    .calls()
    .slice(count)
    .map((call) => call.method);

proves(
  ['4.5-called-at-exit', '4.5-ehr-first', '4.5-params', '5.4-removals-cred'],
  'logging out calls the EHR server first, and the authorization server after its success',
  () => {
    const visit = at.record().end('logout');
    expect(visit.call()).toEqual(sessionCall('embedded_storage.remove_auth_info'));
    visit.succeed();
    expect(visit.call()).toEqual(sessionCall('auth.logout'));
    expect(visit.succeed().step('ended')).toMatchObject({
      ending: 'logout',
      attribute: phone,
      ehrDone: true,
    });
    expect(visit.kept()).toBe('sign-1');
  },
);

proves(
  ['4.6-called-at-disconnect', '4.6-alone', '4.6-params', '5.4-removals-cred'],
  'disconnecting calls the EHR server alone, and forgets the signature',
  () => {
    const visit = at.record().end('disconnect');
    expect(visit.call()).toEqual(sessionCall('embedded_storage.remove_authentication'));
    visit.succeed();
    expect(visit.model().waiting).toBeUndefined();
    expect(visit.step('identify')).toMatchObject({
      notice: 'disconnected',
      ehrSession: 'none',
      exchangeToken: undefined,
    });
    expect(visit.kept()).toBeUndefined();
  },
);

proves(['4.6-with-deletion', '4.6-ehr-first'], 'deleting disconnects first, then deletes the user', () => {
  const visit = at.record().end('delete');
  expect(visit.call()).toEqual(sessionCall('embedded_storage.remove_authentication'));
  visit.succeed();
  expect(visit.kept()).toBeUndefined();
  expect(visit.call()).toEqual(sessionCall('auth.delete_user'));
  expect(visit.succeed().step('ended').ending).toBe('delete');
});

const ehrFailures: [string, (visit: Walk) => Walk][] = [
  ['is not reached', (visit) => visit.failBy('unreachable')],
  ['does not answer', (visit) => visit.failBy('timeout')],
  ['answers nonsense', (visit) => visit.failBy('nonsense')],
  ['fails', (visit) => visit.fail('internal_error')],
  [
    'answers HTTP 503',
    (visit) => visit.settle({ ok: false, failure: { kind: 'http', server: 'ehr', status: 503 } }),
  ],
];

for (const [what, fail] of ehrFailures)
  proves(
    ['4.5-auth-after-success', '4.6-auth-after-success', 'K-client-nothing-claimed'],
    `an ending can be repeated or left when the EHR server ${what}`,
    () => {
      for (const ending of ['logout', 'disconnect', 'delete'] as const) {
        const visit = at.record();
        const before = visit.calls().length;
        fail(visit.end(ending));
        expect(methodsSince(visit, before)).toHaveLength(1);
        expect(visit.step('ending')).toMatchObject({
          ending,
          part: 'ehr',
          ehrDone: false,
          problem: { server: 'ehr' },
        });
        expect(visit.kept()).toBe('sign-1');
        visit.retry();
        expect(visit.call().server).toBe('ehr');
        fail(visit).goBack();
        expect(visit.step('record').patient.name).toBe('CanaryName');
      }
    },
  );

test('a session lost at the EHR server leads to the form, even at endings', () => {
  for (const reason of ['not_authorized', 'session_expired'] as const)
    for (const ending of ['logout', 'disconnect', 'delete'] as const) {
      const visit = at.record().end(ending).fail(reason);
      const notice = ending === 'delete' ? 'ehr_session_gone_before_delete' : 'ehr_session_gone';
      expect(visit.step('identify')).toMatchObject({ notice, ehrSession: 'none' });
      visit.end('logout');
      expect(visit.call()).toEqual(sessionCall('auth.logout'));
    }
});

test('a half-done log out is finished at the authorization server alone', () => {
  const visit = at.record().end('logout').succeed().failBy('timeout');
  expect(visit.step('ending')).toMatchObject({
    part: 'auth',
    ehrDone: true,
    problem: { kind: 'timeout', server: 'auth' },
  });
  visit.goBack();
  expect(visit.step('ending').ehrDone).toBe(true);
  visit.retry();
  expect(visit.call().method).toBe('auth.logout');
  expect(visit.succeed().step('ended').ending).toBe('logout');
});

test('a session the authorization server does not know is logged out', () =>
  expect(at.record().end('logout').succeed().fail('not_authorized').step('ended').ending).toBe('logout'));

test('a deletion that cannot be confirmed is not claimed', () => {
  expect(at.record().end('delete').succeed().fail('not_authorized').step('signIn').notice).toBe(
    'delete_unconfirmed',
  );
  expect(at.record().end('delete').succeed().fail('session_expired').step('signIn').notice).toBe(
    'session_ended_before_delete',
  );
});

test('logging out at the form calls the authorization server alone', () => {
  const visit = at.identify().end('logout');
  expect(visit.call()).toEqual(sessionCall('auth.logout'));
  visit.failBy('unreachable').goBack();
  expect(visit.step('identify').ehrSession).toBe('none');
});

test('only logging out is possible at the form', () => {
  for (const ending of ['disconnect', 'delete'] as const)
    expect(at.identify().end(ending).model().waiting).toBeUndefined();
});

proves(['4.5-ehr-first'], 'logging out asks the EHR server first when authenticate was not answered', () => {
  for (const kind of ['unreachable', 'timeout', 'nonsense'] as const) {
    const visit = at.authenticate().failBy(kind).end('logout');
    expect(visit.call().method).toBe('embedded_storage.remove_auth_info');
    expect(visit.fail('not_authorized').step('identify').ehrSession).toBe('none');
  }
  const later = at.authenticate().failBy('timeout').submit().fail('exchange_token_unknown');
  expect(later.end('logout').call().server).toBe('ehr');
  const certain: Reason = 'patient_not_matched';
  expect(at.authenticate().fail(certain).end('logout').call().server).toBe('auth');
});

proves(['4.5-ehr-first'], 'logging out asks the EHR server first while a record may exist', () => {
  const visit = at.checking().failBy('timeout').end('logout');
  expect(visit.call().method).toBe('embedded_storage.remove_auth_info');
  visit.failBy('timeout').goBack();
  expect(visit.step('checking').problem).toBeDefined();
});

test('starting over after logging out keeps the phone, after deleting it does not', () => {
  const loggedOut = at.record().end('logout').succeed().succeed().send({ type: 'started_over' });
  expect(loggedOut.step('signIn').attribute).toEqual(phone);
  const deleted = at.record().end('delete').succeed().succeed().send({ type: 'started_over' });
  expect(deleted.step('signIn').attribute).toEqual({ kind: 'phone', value: '' });
});

test('what an ending leaves behind does not come back with a reload', () =>
  expect(at.record().end('logout').succeed().succeed().reload().step('signIn').attribute.value).toBe(''));
