import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { defects } from '#conformance/roles/auth-server/defects/index.ts';
import { startWrongMock } from '#conformance/roles/auth-server/defects/wrong-mock.ts';
import type { AuthServerParts } from '#mock-auth-server/index.ts';
import { listening } from '#testing/listening.ts';
import type { LiveVerdict, Row } from '../api.ts';
import { actorIn, type Demo, link, redOf, send, startConsole } from './testing/start-console.ts';
import { expectUnbrokenBy, expectUnbrokenByClock, NEXT_CODE_MS, WIRES } from './testing/troubled-client.ts';

/** Playing takes long on a busy machine. */
const PLAY_TIMEOUT_MS = 300_000;

/** Longer than an exchange token lives. */
const SKEW_MS = 700_000;

// The long test makes every kind of trouble.
test.each(WIRES)(
  'no trouble on a wire shows a right party as broken: %s',
  (wires) => expectUnbrokenBy(['hang', 'reply-lost'], wires),
  PLAY_TIMEOUT_MS,
);

test('texts that are late, lost, doubled or reordered break no right party', async () => {
  const demo = await startConsole();
  for (const kind of ['late', 'lost', 'doubled', 'outOfOrder'] as const) {
    await demo.post('/api/reset');
    await demo.post('/api/text-trouble', { kind, times: 'untilOff', delayMs: 1 });
    const actor = actorIn(demo);
    await link(actor);
    await demo.post('/api/clock', { advanceMs: NEXT_CODE_MS });
    await actor.signIn();
    expect([kind, ...(await redOf(demo))]).toEqual([kind]);
  }
});

test("a party's clock apart, an ended session and a snapshot break no right party", async () => {
  const demo = await startConsole();
  await expectUnbrokenByClock(demo, 'auth', -SKEW_MS);
  await expectUnbrokenByClock(demo, 'ehr', SKEW_MS);
});

test('a client that returns after a reset breaks no right party', async () => {
  const demo = await startConsole();
  const actor = actorIn(demo);
  await link(actor);
  await demo.post('/api/reset');
  await actor.ehr('patient.get_patient').catch(() => undefined);
  await actor.reportLink().catch(() => undefined);
  await link(actor);
  // Another device, whose signature is not that of this link.
  const other = actorIn(demo);
  other.userSign = 'no-signature-of-anybody';
  await demo.post('/api/clock', { advanceMs: NEXT_CODE_MS });
  await other.signIn();
  expect(await redOf(demo)).toEqual([]);
});

/** Two people link, one after the other, and each signs in again: enough to see a defect by hand. */
async function twoPeople(demo: Demo): Promise<void> {
  for (const name of ['anna', 'boris'] as const) {
    const actor = actorIn(demo, name);
    await link(actor).catch(() => undefined);
    await demo.post('/api/clock', { advanceMs: NEXT_CODE_MS });
    await actor.signIn().catch(() => undefined);
  }
}

test.each(['secret-first', 'sign-of-first-user', 'sends-twice'])(
  'an authorization server that is wrong is shown as broken live: %s',
  async (id) => {
    const defect = defects.find((each) => each.id === id);
    if (!defect) throw new Error(`There is no defect ${id}.`);
    const startWrongAuth = (parts: AuthServerParts) => startWrongMock(parts, defect);
    const demo = await startConsole(undefined, { startWrongAuth });
    await twoPeople(demo);
    const verdicts = await demo.get<LiveVerdict[]>('/api/verdicts');
    expect(verdicts.find(({ check }) => check === defect.caughtBy)).toMatchObject({
      outcome: 'fail',
      blame: 'auth server',
    });
  },
);

test.each([
  ['no-patient-data-to-auth-server', 'auth', { method: 'auth.request_otp', params: { note: 'Petrova' } }],
  ['methods-of-clients', 'ehr', { method: 'embedded_storage.save_auth_info' }],
  ['jsonrpc-member', 'ehr', { jsonrpc: '1.0', method: 'patient.get_patient' }],
  [
    'authenticate-without-cred',
    'ehr',
    { method: 'embedded_storage.authenticate', cred: { user: 'a', token: 'b' } },
  ],
] as const)('a client that is wrong is shown as broken live: %s', async (check, to, body) => {
  const demo = await startConsole();
  await send(demo.addresses[to], body);
  const verdicts = await demo.get<LiveVerdict[]>('/api/verdicts');
  const found = verdicts.find((verdict) => verdict.check === check);
  expect(found).toMatchObject({
    party: 'client',
    blame: 'client',
    outcome: expect.stringMatching(/fail|warning/),
  });
  const { kind } = (await demo.get<Row[]>('/api/messages')).find(
    ({ id }) => id === found?.evidence[0],
  ) as Row;
  expect(kind).toBe('message');
});

test('who signs in by values that others have as patients breaks no right party', async () => {
  const demo = await startConsole();
  const properties = { surname: 'Phone', name: 'Code', date: '2026-01-15 00:00:00.000' };
  const params = { exchangeToken: 'of-nobody', patientProperties: properties, medCardId: 'otp.' };
  await send(demo.addresses.ehr, { method: 'embedded_storage.authenticate', params });
  for (const attribute of [
    { phone: '79991234567' },
    { phone: '123456' },
    { email: 'anna.petrova@example.org' },
  ]) {
    await send(demo.addresses.auth, { method: 'auth.request_otp', params: attribute });
    const confirmed = { ...attribute, code: '123456' };
    await send(demo.addresses.auth, { method: 'auth.confirm_otp', params: confirmed });
  }
  expect(await redOf(demo)).toEqual([]);
});

test('properties that fitted a patient are patient data until a reset', async () => {
  const demo = await startConsole();
  const leak = { method: 'auth.request_otp', params: { note: 'Алешин' } };
  const redAfterLeak = async () => {
    await send(demo.addresses.auth, leak);
    return (await redOf(demo)).join();
  };
  expect(await redAfterLeak()).toBe('');
  await link(actorIn(demo, 'alyoshin'));
  expect(await redAfterLeak()).toContain('the surname in the request body');
  await demo.post('/api/reset');
  expect(await redAfterLeak()).toBe('');
});

test('a wrong EHR server is shown as broken, one with spoilt replies is not', async () => {
  const wrong = createServer((_request, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end('{"jsonrpc":"2.0","error":{"code":"no","message":""},"id":1}');
  });
  const demo = await startConsole(undefined, { ehrUrl: `http://127.0.0.1:${await listening(wrong)}` });
  // The next reply is spoilt on its way, which is not the server's fault.
  await demo.post('/api/faults', { wire: 'client->ehr', fault: 'error-text' });
  await send(demo.addresses.ehr, { method: 'patient.get_patient' });
  expect(await redOf(demo)).toEqual([]);
  await send(demo.addresses.ehr, { method: 'patient.get_patient' });
  const red = (await demo.get<LiveVerdict[]>('/api/verdicts')).filter(({ outcome }) => outcome !== 'pass');
  expect(red.map(({ check, party }) => [check, party])).toEqual([
    ['outcomes-are-http-200', 'ehr'],
    ['shape-of-errors', 'ehr'],
  ]);
});

test('views of a page and questions for features are no calls of a client', async () => {
  const demo = await startConsole();
  await fetch(demo.addresses.auth);
  await fetch(`${demo.addresses.ehr}?x=1`);
  await send(demo.addresses.ehr, { method: 'rpc.discover' });
  expect(await redOf(demo)).toEqual([]);
});
