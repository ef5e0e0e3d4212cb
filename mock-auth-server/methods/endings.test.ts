import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { ANNA, ANNA_MAIL } from '../testing/config.ts';
import { type SignInReply, signedInWorld, startWorld } from '../testing/start.ts';

test('a session lives until the last millisecond of its ttl', async () => {
  const { authInfo, call, clock, reason, refusal } = await signedInWorld();
  clock.advance(1440 * 60_000 - 1);
  await call('auth.exchange_token', {}, authInfo);
  clock.advance(1);
  for (const method of ['auth.exchange_token', 'auth.logout', 'auth.delete_user'] as const)
    expect(await refusal(method, {}, authInfo)).toMatchObject({ reason: 'session_expired', code: -33001 });
  expect(await reason('auth.logout', {}, { ...authInfo, user: 'u-other' })).toBe('not_authorized');
});

proves(['K-deletion-forgets', 'K-session-ends'], 'a deleted user leaves nothing behind', async () => {
  const { call, code, ehr, reason, server, signIn } = await startWorld();
  const phone = await signIn();
  const again = await signIn();
  const stranger = await signIn(ANNA_MAIL);
  await call('auth.report_link', { user_sign: 'sign' }, phone.authInfo);
  const pending = await code(ANNA);
  expect(await call('auth.delete_user', {}, phone.authInfo)).toEqual({});

  expect(await reason('auth.exchange_token', {}, again.authInfo)).toBe('not_authorized');
  expect(await reason('auth.delete_user', {}, phone.authInfo)).toBe('not_authorized');
  expect(await reason('auth.confirm_otp', { phone: ANNA, code: pending })).toBe('otp_wrong');
  // Only the report was sent, and no exchange token for a session that has ended.
  expect(ehr.received).toHaveLength(1);
  expect(server.outbox.list(ANNA)).toEqual([]);
  expect(server.correspondence.list().map(({ user }) => user)).toEqual([stranger.authInfo.user]);

  const fresh = await signIn();
  expect(fresh.linked).toBe(false);
  expect(fresh.authInfo.user).not.toBe(phone.authInfo.user);
  expect(server.outbox.list(ANNA_MAIL)).toHaveLength(1);
});

test('a user deleted during the sign-in gets no session', async () => {
  const { authInfo, call, confirmation, ehr, refusal, server } = await signedInWorld();
  const params = await confirmation(ANNA, 'sign');
  const { asked, goOn } = await ehr.holding(() => refusal('auth.confirm_otp', params));
  await call('auth.delete_user', {}, authInfo);
  goOn();
  expect(await asked).toMatchObject({ reason: 'otp_wrong' });
  expect(server.correspondence.list()).toEqual([]);
});

test('a test login whose user is deleted meanwhile opens no session', async () => {
  const { call, ehr, refusal } = await startWorld({ config: { allowTestLogin: true } });
  const { authInfo } = await call<SignInReply>('auth.login', { user: 'anna' });
  const params = { user: 'anna', ehr_user_sign: 'sign' };
  const { asked, goOn } = await ehr.holding(() => refusal('auth.login', params));
  await call('auth.delete_user', {}, authInfo);
  goOn();
  expect(await asked).toMatchObject({ reason: 'user_unknown' });
});
