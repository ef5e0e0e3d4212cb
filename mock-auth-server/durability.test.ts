import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Cred } from '#protocol/methods/method-spec.ts';
import { launchParty } from '#testing/programs/processes.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { callerOf, reasonOf, resultOf } from '#testing/wire.ts';
import { ANNA, INTERNAL_PASSWORD, INTERNAL_USER } from './testing/config.ts';
import { startFakeEhr } from './testing/fake-ehr.ts';

const credOf = ({ user, token }: Cred): Cred => ({ user, token });

test('acknowledged steps survive SIGKILL, and SIGTERM ends the program cleanly', async () => {
  const ehr = await startFakeEhr();
  onTestFinished(() => ehr.stop());
  const env = {
    EHR_INTERNAL_USER: INTERNAL_USER,
    EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD,
    AUTH_PORT: '0',
    AUTH_DATABASE: join(folderInMemory(), 'auth.sqlite'),
    AUTH_EHR_URL: ehr.url,
    AUTH_OTP_RESEND_AFTER: '0',
  };
  const begin = async () => {
    const { urls, stop } = await launchParty('mock-auth-server/main.ts', env);
    return { url: urls[0], stop, call: callerOf<typeof authMethods>(String(urls[0])) };
  };
  let server = await begin();
  const crash = async () => {
    expect((await server.stop('SIGKILL')).code).toBeNull();
    server = await begin();
  };
  const sent = async () =>
    (await (await fetch(`${server.url}/outbox?to=${ANNA}`)).json()) as { code: string }[];
  await server.call('auth.request_otp', { phone: ANNA });
  const outbox = await sent();
  // A confirmation that waits for the EHR server ends with the program, and the code stays usable.
  const confirm = { phone: ANNA, code: outbox[0]?.code };
  const { asked, goOn } = await ehr.holding(() =>
    server.call('auth.confirm_otp', { ...confirm, ehr_user_sign: 'sign' }).catch(() => 'lost'),
  );
  await crash();
  expect([await asked, outbox.length, await sent()]).toEqual(['lost', 1, outbox]);
  goOn();
  const { authInfo } = resultOf(await server.call('auth.confirm_otp', confirm));
  resultOf(await server.call('auth.report_link', { user_sign: 'sign' }, credOf(authInfo)));
  const newest = async () => {
    await server.call('auth.request_otp', { phone: ANNA });
    return { phone: ANNA, code: (await sent())[0]?.code };
  };
  const second = await newest();
  const kept = resultOf(await server.call('auth.confirm_otp', second)).authInfo;
  resultOf(await server.call('auth.logout', {}, credOf(authInfo)));
  await crash();
  expect(reasonOf(await server.call('auth.confirm_otp', second))).toBe('otp_wrong');
  const taken = (cred: Cred) => server.call('auth.exchange_token', {}, credOf(cred));
  expect(reasonOf(await taken(authInfo))).toBe('not_authorized');
  expect(resultOf(await taken(kept)).exchangeToken).toMatch(/^[\w-]{43}$/);
  const third = await server.call('auth.confirm_otp', await newest());
  expect(third.result).toMatchObject({ linked: true, authInfo: { user: authInfo.user } });
  expect((await server.stop('SIGTERM')).code).toBe(0);
});
