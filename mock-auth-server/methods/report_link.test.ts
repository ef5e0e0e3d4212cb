import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { ANNA, ORPHAN } from '../testing/config.ts';
import { callToEhr, signedInWorld } from '../testing/start.ts';

const SIGN = 'user-sign';

proves(
  ['1-session-saved-after-link', '5.1-digest-of-own-sign', '4.1-params'],
  'a reported link saves its session, and the user_sign is kept',
  async () => {
    const { authInfo, call, clock, ehr, server } = await signedInWorld();
    clock.advance(90_000);
    expect(await call('auth.report_link', { user_sign: SIGN }, authInfo)).toEqual({});
    expect(ehr.received.map(({ body }) => body)).toEqual([
      callToEhr('embedded_storage.save_auth_info', { authInfo: { ...authInfo, ttl: 1439 } }, SIGN),
    ]);
    expect(server.correspondence.list()).toMatchObject([{ user: authInfo.user, userSignOnRecord: true }]);
  },
);

proves(['D38-own-repeat-succeeds'], 'a report whose reply was lost is repeated with success', async () => {
  const { authInfo, call, ehr, reason, server } = await signedInWorld();
  ehr.next({ kind: 'cut_body' }, { kind: 'refuse', reason: 'token_already_stored' });
  expect(await reason('auth.report_link', { user_sign: SIGN }, authInfo)).toBe('ehr_bad_reply');
  expect(server.correspondence.list()).toMatchObject([{ userSignOnRecord: false }]);
  expect(await call('auth.report_link', { user_sign: SIGN }, authInfo)).toEqual({});
  const [first, second] = ehr.received.map(({ body }) => body);
  expect(second).toEqual({ ...first, id: expect.any(Number) });
  expect(ehr.received).toHaveLength(2);
  expect(server.correspondence.list()).toMatchObject([{ userSignOnRecord: true }]);
});

proves(['1-no-correspondence-error'], 'a user needs an entry', async () => {
  const { authInfo, ehr, refusal } = await signedInWorld({}, ORPHAN);
  expect(await refusal('auth.report_link', { user_sign: SIGN }, authInfo)).toEqual({
    code: -34007,
    reason: 'user_unknown',
    errors: ['The correspondence table of the authorization server has no entry for this user.'],
  });
  expect(ehr.received).toEqual([]);
});

test('an entry that is removed while the EHR server is being asked keeps nothing', async () => {
  const { authInfo, ehr, refusal, server } = await signedInWorld();
  const { asked, goOn } = await ehr.holding(() => refusal('auth.report_link', { user_sign: SIGN }, authInfo));
  server.correspondence.remove(ANNA);
  goOn();
  expect(await asked).toMatchObject({ reason: 'user_unknown' });
});

test('a report without session or user_sign asks the EHR server nothing', async () => {
  const { authInfo, ehr, reason } = await signedInWorld();
  expect(await reason('auth.report_link', { user_sign: SIGN })).toBe('not_authorized');
  expect(await reason('auth.report_link', { user_sign: SIGN }, { ...authInfo, token: 'x' })).toBe(
    'not_authorized',
  );
  expect(await reason('auth.report_link', {}, authInfo)).toBe('invalid_params');
  expect(ehr.received).toEqual([]);
});

proves(['1-properties-not-relayed', '4.3-caller'], 'patient properties sent along reach nobody', async () => {
  const { authInfo, call, ehr, logged } = await signedInWorld();
  const patientProperties = { name: 'Canaria', surname: 'Kanarienvogel', date: '1985-04-12' };
  await call('auth.report_link', { user_sign: SIGN, patientProperties }, authInfo);
  await call('auth.exchange_token', { patientProperties }, authInfo);
  const reached = JSON.stringify(ehr.received) + logged();
  for (const canary of ['Canaria', 'Kanarienvogel', '1985-04-12']) expect(reached).not.toContain(canary);
  expect(ehr.received.map(({ body }) => body.method)).toEqual([
    'embedded_storage.save_auth_info',
    'embedded_storage.save_exchange_token',
  ]);
});
