import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { ANNA, ORPHAN } from '../testing/config.ts';
import { startWorld } from '../testing/start.ts';

const SIGN = 'user-sign';

proves(['DA-test-login-off'], 'without the setting there is no auth.login', async () => {
  const { refusal } = await startWorld();
  expect(await refusal('auth.login', { user: 'anna' })).toMatchObject({ reason: 'method_not_found' });
});

proves(['DA-test-login'], 'auth.login opens a session without a code, and saves it with a user_sign', async () => {
  const { call, ehr, refusal } = await startWorld({ config: { allowTestLogin: true } });
  expect(await call('auth.login', { user: 'anna' })).toMatchObject({
    authInfo: { user: 'anna', ttl: 1440 },
    linked: false,
  });
  expect(await call('auth.login', { user: 'anna', ehr_user_sign: SIGN })).toMatchObject({
    authInfo: { user: 'anna' },
    linked: true,
  });
  expect(ehr.received[0]?.body.params.authInfo.user).toBe('anna');
  expect(await refusal('auth.login', { user: ORPHAN, ehr_user_sign: SIGN })).toMatchObject({
    reason: 'user_unknown',
  });
});

test('auth.login finds a user that signed in by phone under their public id', async () => {
  const { call, server, signIn } = await startWorld({ config: { allowTestLogin: true } });
  const { authInfo } = await signIn(ANNA);
  expect(await call('auth.login', { user: authInfo.user })).toMatchObject({ authInfo: { user: authInfo.user } });
  expect(server.correspondence.list()).toHaveLength(1);
});
