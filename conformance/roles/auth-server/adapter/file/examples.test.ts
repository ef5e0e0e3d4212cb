import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import type { StepName } from '../../../../engine/journal/entry.ts';
import { startServer } from '../../../../engine/party/process/server-process.ts';
import type { StepInput } from '../adapter.ts';
import { openOtpSource } from '../otp/source.ts';
import { createAdapter } from '../steps/http-adapter.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { fillPorts } from './fill-ports.ts';
import { loadAdapter } from './load.ts';

/** Starts the server of an example before an EHR server that accepts everything. */
async function startExample(name: string) {
  const ehr = await startFakeServer((request, response) => {
    const { id } = JSON.parse(request.body) as { id: number };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', result: { id: 'r' }, id: String(id) }));
  });
  const file = await loadAdapter(
    fileURLToPath(new URL(`../../../../examples/${name}.yaml`, import.meta.url)),
    {},
  );
  const loaded = { ...file, settings: await fillPorts(file.settings) };
  const clock = systemClock;
  const otp = await openOtpSource(loaded.settings, { clock, ask: async () => undefined });
  const server = await startServer(loaded, {
    ehrUrl: ehr.url,
    smsUrl: otp.smsUrl,
    clock,
    env: process.env,
    signal: new AbortController().signal,
  });
  onTestFinished(() => server?.stop());
  const adapter = await createAdapter(loaded, {
    baseUrl: loaded.settings.server.url,
    clock,
    seed: 1,
    otp,
    tell: () => undefined,
    waitForEffect: async () => ({}),
  });
  onTestFinished(() => adapter.close());
  const does = (step: StepName, input: StepInput) =>
    adapter.perform(step, input, new AbortController().signal);
  const done = async (step: StepName, input: StepInput) => {
    const result = await does(step, input);
    if (result.kind !== 'done') throw new Error(`${step} ended otherwise: ${JSON.stringify(result)}`);
    return result.values;
  };
  return { adapter, ehr, does, done, server };
}

test('the example of the mock server performs every step', async () => {
  const { adapter, ehr, does, done } = await startExample('mock');
  const phone = adapter.phone(0);
  const codeTo = async (to: string) => {
    const before = await adapter.messagesTo(to);
    await done('requestOtp', { phone: to });
    return (await adapter.codeFor(to, before, 5_000)) as string;
  };
  const code = await codeTo(phone);
  expect(code).toMatch(/^\d{6}$/);
  expect(await does('confirmOtp', { phone, code: code === '000000' ? '000001' : '000000' })).toMatchObject({
    kind: 'refused',
    reason: 'otp_wrong',
  });
  const { user, token, ttl } = await done('confirmOtp', { phone, code });
  expect([user, token, ttl]).toEqual([expect.any(String), expect.any(String), '1440']);
  const session = { phone, user: user as string, token: token as string };
  const { exchangeToken } = await done('exchangeToken', session);
  expect(ehr.json()).toMatchObject({
    method: 'embedded_storage.save_exchange_token',
    params: { exchangeToken },
  });
  await done('reportLink', { ...session, userSign: 'a-user-sign' });
  await done('advanceClock', { milliseconds: '30000' });
  const again = await done('confirmOtp', { phone, code: await codeTo(phone), userSign: 'a-user-sign' });
  expect(ehr.json()).toMatchObject({
    method: 'embedded_storage.save_auth_info',
    params: { authInfo: { token: again.token } },
  });
  await done('logout', session);
  expect(await does('exchangeToken', session)).toMatchObject({ kind: 'refused', reason: 'not_authorized' });
  expect(await does('exchangeToken', { phone })).toMatchObject({ kind: 'refused' });
  const second = { phone, user: again.user as string, token: again.token as string };
  await done('removeCorrespondence', second);
  expect(await does('reportLink', { ...second, userSign: 'a-user-sign' })).toMatchObject({
    kind: 'refused',
    reason: 'user_unknown',
  });
  const late = await codeTo(adapter.phone(1));
  await done('advanceClock', { milliseconds: '300000' });
  expect(await does('confirmOtp', { phone: adapter.phone(1), code: late })).toMatchObject({
    kind: 'refused',
    reason: 'otp_expired',
  });
  await done('deleteUser', second);
  expect(await does('logout', second)).toMatchObject({ kind: 'refused' });
});

for (const name of ['mock', 'test-login']) {
  test(`the example ${name} names a phone whose user has no correspondence entry`, async () => {
    const { adapter, does, done } = await startExample(name);
    const phone = adapter.phoneWithoutCorrespondence as string;
    const input: StepInput = { phone };
    if (adapter.has('requestOtp')) {
      await done('requestOtp', { phone });
      input.code = (await adapter.codeFor(phone, 0, 5_000)) as string;
    }
    const { user, token } = await done('confirmOtp', input);
    const session = { phone, user: user as string, token: token as string };
    expect(await does('reportLink', { ...session, userSign: 'a-user-sign' })).toMatchObject({
      kind: 'refused',
      reason: 'user_unknown',
    });
  });
}

test('the example of the test login performs every step that it has', async () => {
  const { adapter, ehr, does, done } = await startExample('test-login');
  expect(adapter.has('requestOtp')).toBe(false);
  const phone = adapter.phone(0);
  const { user, token } = await done('confirmOtp', { phone });
  expect(user).toBe(phone);
  const session = { phone, user: user as string, token: token as string };
  const { exchangeToken } = await done('exchangeToken', session);
  expect(ehr.json()).toMatchObject({ params: { exchangeToken, authInfo: { user: phone } } });
  await done('reportLink', { ...session, userSign: 'a-user-sign' });
  await done('advanceClock', { milliseconds: '1000' });
  await done('logout', session);
  expect(await does('logout', session)).toMatchObject({ kind: 'refused', reason: 'not_authorized' });
  const again = await done('confirmOtp', { phone, userSign: 'a-user-sign' });
  const second = { phone, user: again.user as string, token: again.token as string };
  await done('removeCorrespondence', second);
  expect(await does('reportLink', { ...second, userSign: 'a-user-sign' })).toMatchObject({
    kind: 'refused',
    reason: 'user_unknown',
  });
  await done('deleteUser', second);
});
