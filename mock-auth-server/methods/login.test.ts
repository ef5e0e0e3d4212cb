import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { ANNA, ORPHAN } from '../testing/config.ts';
import { signedInWorld, startWorld } from '../testing/start.ts';

const SIGN = 'user-sign';

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
