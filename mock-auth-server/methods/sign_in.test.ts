import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { proves } from '#testing/proves.ts';
import { authInfoOf } from '../sign-in.ts';
import { ANNA, ANNA_MAIL, INTERNAL_PASSWORD, ORPHAN, testConfig } from '../testing/config.ts';
import { callToEhr, signedInWorld, startWorld } from '../testing/start.ts';

const SIGN = 'user-sign-Ωmega';

proves(
  ['K-token-entropy', '1-pair-at-sign-in', '2.3-user', '2.3-token'],
  'a completed sign-in hands over user, token of 256 bits and ttl',
  async () => {
    const { ehr, signIn } = await startWorld();
    const { authInfo, linked } = await signIn();
    expect(authInfo).toEqual({
      user: expect.stringMatching(/^u-[\w-]{22}$/),
      token: expect.stringMatching(/^[\w-]{43}$/),
      ttl: 1440,
    });
    expect(linked).toBe(false);
    expect(ehr.received).toEqual([]);
  },
);

proves(['2.3-token-unique', 'K-user-of-phone'], 'a user keeps the id, not the token', async () => {
  const { clock, signIn } = await startWorld();
  const first = await signIn(ANNA);
  clock.advance(1440 * 60_000);
  const second = await signIn('8 999 000 00 01');
  expect(second.authInfo.user).toBe(first.authInfo.user);
  expect(second.authInfo.token).not.toBe(first.authInfo.token);
  const other = await signIn(ANNA_MAIL);
  expect(other.authInfo.user).not.toBe(first.authInfo.user);
});

proves(
  [
    '1-matched-user-saved-directly',
    '4.1-params',
    '2.2-digest-shape',
    '5.1-user',
    '5.1-digest',
    '5.1-digest-order',
    '2.1-jsonrpc-sent',
    '2.1-id-sent',
    '2.1-method-sent',
    '2.1-params-sent',
    '2.1-cred-sent',
    '2.2-user-names-caller',
    '2.3-ttl',
    '4-post-json',
    '9-version-in-path',
    '4.1-internal-channel',
  ],
  'a sign-in with a user_sign saves the session with its digest',
  async () => {
    const { ehr, signIn } = await startWorld();
    const { authInfo, linked } = await signIn(ANNA, SIGN);
    expect(linked).toBe(true);
    expect(ehr.received).toHaveLength(1);
    const [{ body, path, verb } = { body: undefined, path: '', verb: '' }] = ehr.received;
    expect({ path, verb }).toEqual({ path: '/1.0-alpha/', verb: 'POST' });
    expect(body).toEqual(callToEhr('embedded_storage.save_auth_info', { authInfo }, SIGN));
  },
);

proves(['2.1-id-sent'], 'calls in flight at the same time have different ids', async () => {
  const { ehr, signIn } = await startWorld();
  await Promise.all([signIn(ANNA, SIGN), signIn('79990000002', SIGN), signIn(ANNA_MAIL, SIGN)]);
  expect(new Set(ehr.received.map(({ body }) => body.id)).size).toBe(3);
});

test('the id of a reply may come back as a number', async () => {
  const { ehr, signIn } = await startWorld();
  ehr.next({ kind: 'accept_with_number_id' });
  expect(await signIn(ANNA, SIGN)).toMatchObject({ linked: true });
});

proves(
  ['1-matched-user-saved-directly', '5.1-digest-of-own-sign'],
  'a user_sign on record saves the session, each user with his own',
  async () => {
    const { call, ehr, signIn } = await startWorld();
    const anna = await signIn(ANNA);
    await call('auth.report_link', { user_sign: SIGN }, anna.authInfo);
    const ivan = await signIn('79990000002');
    await call('auth.report_link', { user_sign: 'sign of Ivan' }, ivan.authInfo);
    await call('auth.logout', {}, anna.authInfo);
    expect(await signIn(ANNA)).toMatchObject({ linked: true });
    expect(ehr.received.at(-1)?.body.cred.token).toBe(digest(INTERNAL_PASSWORD, SIGN));
    expect(await signIn('79990000002')).toMatchObject({ linked: true });
    expect(ehr.received.at(-1)?.body.cred.token).toBe(digest(INTERNAL_PASSWORD, 'sign of Ivan'));
  },
);

test('the user_sign of a call replaces the one on record once accepted', async () => {
  const { authInfo, call, ehr, signIn } = await signedInWorld();
  await call('auth.report_link', { user_sign: 'old sign' }, authInfo);
  await signIn(ANNA, 'new sign');
  expect(ehr.received.at(-1)?.body.cred.token).toBe(digest(INTERNAL_PASSWORD, 'new sign'));
  await signIn();
  expect(ehr.received.at(-1)?.body.cred.token).toBe(digest(INTERNAL_PASSWORD, 'new sign'));
});

test('a user_sign of null means that there is none', async () => {
  const { call, confirmation } = await startWorld();
  const params = { ...(await confirmation(ANNA)), ehr_user_sign: null };
  expect(await call('auth.confirm_otp', params)).toMatchObject({ linked: false });
});

proves(
  ['1-no-correspondence-error', '1-internal-id-looked-up'],
  'a user without a correspondence entry is refused, and the code stays',
  async () => {
    const { call, code, ehr, refusal } = await startWorld();
    const [sent, phone] = [await code('8 (999) 000-00-07'), '+7 999 000 00 07'];
    expect(await refusal('auth.confirm_otp', { phone, code: sent, ehr_user_sign: SIGN })).toEqual({
      code: -34007,
      reason: 'user_unknown',
      errors: ['The correspondence table of the authorization server has no entry for this user.'],
    });
    expect(ehr.received).toEqual([]);
    expect(await call('auth.confirm_otp', { phone: ORPHAN, code: sent })).toMatchObject({ linked: false });
  },
);

proves(['2.3-token-unique', 'D38-clash-draws-anew'], 'a stored token is redrawn, twice at most', async () => {
  const { call, confirmation, ehr, refusal, signIn } = await startWorld();
  const duplicate = { kind: 'refuse', reason: 'token_already_stored' } as const;
  ehr.next(duplicate, duplicate);
  const { authInfo } = await signIn(ANNA, SIGN);
  const offered = ehr.received.map(({ body }) => body.params.authInfo.token);
  expect(new Set(offered).size).toBe(3);
  expect(authInfo.token).toBe(offered[2]);

  ehr.next(duplicate, duplicate, duplicate);
  const params = await confirmation(ANNA, SIGN);
  expect(await refusal('auth.confirm_otp', params)).toMatchObject({
    reason: 'ehr_refused',
    ehr: { code: errorTable.token_already_stored.code, reason: 'token_already_stored' },
  });
  expect(ehr.received).toHaveLength(6);
  // The failure did not use up the code.
  expect(await call('auth.confirm_otp', params)).toMatchObject({ linked: true });
});

for (const reason of ['user_unknown', 'not_authorized'] as const) {
  proves(
    ['D34-stale-link-signs-in', 'D34-stale-sign-forgotten'],
    `a sign-in whose signature on record is refused as ${reason} is unlinked`,
    async () => {
      const { authInfo, call, ehr, server, signIn } = await signedInWorld();
      await call('auth.report_link', { user_sign: SIGN }, authInfo);
      expect(server.correspondence.list()).toMatchObject([{ userSignOnRecord: true }]);
      ehr.next({ kind: 'refuse', reason });
      const signedIn = await signIn();
      expect(signedIn).toMatchObject({ authInfo: { user: authInfo.user }, linked: false });
      expect(server.correspondence.list()).toMatchObject([{ userSignOnRecord: false }]);
      // The session works. Its token never went to the EHR server, and the next sign-in sends nothing there.
      await call('auth.exchange_token', {}, signedIn.authInfo);
      expect(ehr.received[1]?.body.params.authInfo.token).not.toBe(signedIn.authInfo.token);
      expect(await signIn()).toMatchObject({ linked: false });
      expect(ehr.received).toHaveLength(3);
    },
  );

  proves(['D34-stale-link-signs-in'], `a sign-in with a sign refused as ${reason} is unlinked`, async () => {
    const { authInfo, call, ehr, server, signIn } = await signedInWorld();
    await call('auth.report_link', { user_sign: SIGN }, authInfo);
    ehr.next({ kind: 'refuse', reason });
    expect(await signIn(ANNA, 'stale sign')).toMatchObject({ linked: false });
    expect(server.correspondence.list()).toMatchObject([{ userSignOnRecord: true }]);
    expect(await signIn()).toMatchObject({ linked: true });
  });
}

test('a refusal for another reason leaves the user_sign on record', async () => {
  const { authInfo, call, confirmation, ehr, refusal, server } = await signedInWorld();
  await call('auth.report_link', { user_sign: SIGN }, authInfo);
  ehr.next({ kind: 'refuse', reason: 'access_forbidden' });
  expect(await refusal('auth.confirm_otp', await confirmation(ANNA))).toMatchObject({
    reason: 'ehr_refused',
    ehr: { code: -33403 },
  });
  expect(server.correspondence.list()).toMatchObject([{ userSignOnRecord: true }]);
});

test('ttl counts in the unit that is set', async () => {
  const { authInfo, call, clock, reason } = await signedInWorld({
    config: { ttlUnit: 'seconds', sessionTtl: 90 },
  });
  expect(authInfo.ttl).toBe(90);
  clock.advance(89_999);
  await call('auth.exchange_token', {}, authInfo);
  clock.advance(1);
  expect(await reason('auth.exchange_token', {}, authInfo)).toBe('session_expired');
});

test('a code may be typed with spaces, as messages show it', async () => {
  const { call, code } = await startWorld();
  const params = { phone: ANNA, code: (await code(ANNA)).replace(/^.../, ' $& ') };
  expect(await call('auth.confirm_otp', params)).toMatchObject({ linked: false });
});

proves(['1-confirm-then-store'], 'a wrong code sends nothing to the EHR server', async () => {
  const { code, ehr, reason } = await startWorld();
  await code(ANNA);
  expect(await reason('auth.confirm_otp', { phone: ANNA, code: 'wrong', ehr_user_sign: SIGN })).toBe(
    'otp_wrong',
  );
  expect(ehr.received).toEqual([]);
});

proves(['DA-test-login-off'], 'without the setting there is no auth.login', async () => {
  const { reason } = await startWorld();
  expect(await reason('auth.login', { user: 'anna' })).toBe('method_not_found');
});

proves(['DA-test-login'], 'auth.login opens a session without a code, saved with a user_sign', async () => {
  const { call, ehr, reason } = await startWorld({ config: { allowTestLogin: true } });
  expect(await call('auth.login', { user: 'anna' })).toMatchObject({
    authInfo: { user: 'anna', ttl: 1440 },
    linked: false,
  });
  expect(await call('auth.login', { user: 'anna', ehr_user_sign: SIGN })).toMatchObject({
    authInfo: { user: 'anna' },
    linked: true,
  });
  expect(ehr.received[0]?.body.params.authInfo.user).toBe('anna');
  expect(await reason('auth.login', { user: ORPHAN, ehr_user_sign: SIGN })).toBe('user_unknown');
});

test('auth.login finds a user that signed in by phone under their public id', async () => {
  const { authInfo, call, server } = await signedInWorld({ config: { allowTestLogin: true } }, ANNA);
  expect(await call('auth.login', { user: authInfo.user })).toMatchObject({
    authInfo: { user: authInfo.user },
  });
  expect(server.correspondence.list()).toHaveLength(1);
});

const caller = { user: 'u', token: 't', tokenHash: Buffer.alloc(0) };

test('the ttl is what remains, rounded up, and at least 1', () => {
  const clock = manualClock(0);
  const minutes = (expiresAt: number) =>
    authInfoOf({ clock, config: testConfig() }, { ...caller, expiresAt }).ttl;
  expect([1, 60_000, 60_001, 86_400_000].map(minutes)).toEqual([1, 1, 2, 1440]);
  // The session may expire while a first attempt waits for the EHR server.
  expect([0, -1].map(minutes)).toEqual([1, 1]);
  const seconds = testConfig({ ttlUnit: 'seconds' });
  expect(authInfoOf({ clock, config: seconds }, { ...caller, expiresAt: 1_001 })).toEqual({
    user: 'u',
    token: 't',
    ttl: 2,
  });
});
