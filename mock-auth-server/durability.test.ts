import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { callText } from '#protocol/wire/envelope.ts';
import { useProgram } from '#testing/programs/use-program.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { ANNA, INTERNAL_PASSWORD, INTERNAL_USER } from './testing/config.ts';
import { startFakeEhr } from './testing/fake-ehr.ts';

const RUN = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url));
const env = { EHR_INTERNAL_USER: INTERNAL_USER, EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD };

type AuthReply = {
  result: { authInfo: { user: string; token: string }; linked: boolean; exchangeToken: string };
  error?: { data: { reason: string } };
};

/** Start the program, and resolve when it says that it is ready. */
async function start(...flags: string[]) {
  const server = useProgram([RUN, 'mock-auth-server/main.ts', '--port', '0', ...flags], { env });
  const [, url = ''] = await server.says(/(http:\/\/[\d.:]+).*\n/, 'out');
  return { url, kill: async (signal: NodeJS.Signals) => (await server.stop(signal)).code };
}

async function call(
  url: string,
  method: string,
  params: unknown,
  cred?: { user: string; token: string },
): Promise<AuthReply> {
  const body = callText({ id: 1, method, params, cred: cred && { user: cred.user, token: cred.token } });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await response.json()) as AuthReply;
}

test('acknowledged steps survive SIGKILL, and SIGTERM ends the program cleanly', async () => {
  const directory = folderInMemory();
  const ehr = await startFakeEhr();
  onTestFinished(() => ehr.stop());
  const begin = () =>
    start('--database', join(directory, 'auth.sqlite'), '--ehr-url', ehr.url, '--otp-resend-after', '0');

  let server = await begin();
  const crash = async () => {
    expect(await server.kill('SIGKILL')).toBeNull();
    server = await begin();
  };
  const sent = async () =>
    (await (await fetch(`${server.url}/outbox?to=${ANNA}`)).json()) as { code: string }[];
  await call(server.url, 'auth.request_otp', { phone: ANNA });
  const outbox = await sent();
  // A confirmation that waits for the EHR server ends with the program, and the code stays usable.
  const goOn = ehr.holdNext();
  const confirm = { phone: ANNA, code: outbox[0]?.code };
  const lost = call(server.url, 'auth.confirm_otp', { ...confirm, ehr_user_sign: 'sign' }).catch(
    () => 'lost',
  );
  await ehr.untilReceived(1);
  await crash();
  expect([await lost, outbox.length, await sent()]).toEqual(['lost', 1, outbox]);
  goOn();
  const { authInfo } = (await call(server.url, 'auth.confirm_otp', confirm)).result;
  expect(await call(server.url, 'auth.report_link', { user_sign: 'sign' }, authInfo)).toMatchObject({
    result: {},
  });
  const newest = async () => {
    await call(server.url, 'auth.request_otp', { phone: ANNA });
    return { phone: ANNA, code: (await sent())[0]?.code };
  };
  const second = await newest();
  const kept = (await call(server.url, 'auth.confirm_otp', second)).result;
  expect(await call(server.url, 'auth.logout', {}, authInfo)).toMatchObject({ result: {} });
  await crash();
  expect((await call(server.url, 'auth.confirm_otp', second)).error?.data.reason).toBe('otp_wrong');
  expect((await call(server.url, 'auth.exchange_token', {}, authInfo)).error?.data.reason).toBe(
    'not_authorized',
  );
  expect((await call(server.url, 'auth.exchange_token', {}, kept.authInfo)).result.exchangeToken).toMatch(
    /^[\w-]{43}$/,
  );
  const third = await call(server.url, 'auth.confirm_otp', await newest());
  expect(third.result).toMatchObject({ linked: true, authInfo: { user: authInfo.user } });
  expect(await server.kill('SIGTERM')).toBe(0);
});
