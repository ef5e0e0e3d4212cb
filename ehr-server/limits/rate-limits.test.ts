import { expect, test } from 'vitest';
import { callText, MAX_BATCH } from '#protocol/wire/envelope.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { post } from '#testing/wire.ts';
import { ehrAlone, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';

/** A rate of 2 a second with a burst of 100 beyond it: the smallest burst, because a whole batch must fit. */
const LOW_RATE = { EHR_RATE_LIMIT: 'on', EHR_RATE_PER_ADDRESS: '2' };
const ADMITTED_CALLS = 102;

const getPatient = callText({ id: 1, method: 'patient.get_patient', cred: { user: 'u', token: 't' } });

const batchOf = (call: string, calls = MAX_BATCH) => `[${new Array(calls).fill(call).join()}]`;

/** Call until a call is rejected, and return how many were admitted. A batch comes first: it is faster. */
async function exhaust(url: string, headers?: Record<string, string>): Promise<number> {
  const isAnswered = async (body: string) => (await post(url, body, headers)).status !== 429;
  let served = (await isAnswered(batchOf(getPatient))) ? MAX_BATCH : 0;
  while (await isAnswered(getPatient)) served++;
  return served;
}

/** Expect about as many admitted calls as the limit allows: a few more where a second passed meanwhile. */
function expectOneLimit(served: number, admitted = ADMITTED_CALLS): void {
  expect(served).toBeGreaterThanOrEqual(admitted - 5);
  expect(served).toBeLessThan(admitted + 20);
}

test('the internal channel has no limit unless it is given one', async () => {
  const env = { ...LOW_RATE, EHR_INTERNAL_PORT: '0' };
  const open = await ehrAlone({ env });
  for (let turn = 0; turn < 3; turn++)
    expect((await post(open.internalEndpoint, batchOf(getPatient))).status).toBe(200);
  const limited = await ehrAlone({ env: { ...env, EHR_RATE_PER_INTERNAL_ADDRESS: '5' } });
  expectOneLimit(await exhaust(limited.internalEndpoint), 105);
  // Each listener counts separately.
  expectOneLimit(await exhaust(limited.ehr.endpoint));
});

test.each([
  ['rpc.discover', 10],
  ['constructor', 1],
])('calls of %s cost %i points each', async (method, points) => {
  const batch = (calls: number) => batchOf(callText({ id: 1, method }), calls);
  const { ehr } = await ehrAlone({ env: LOW_RATE });
  expect((await post(ehr.endpoint, batch(MAX_BATCH))).status).toBe(points === 1 ? 200 : 429);
  const other = await ehrAlone({ env: LOW_RATE });
  expect((await post(other.ehr.endpoint, batch(MAX_BATCH / points))).status).toBe(200);
  expect((await post(other.ehr.endpoint, batch(MAX_BATCH / points))).status).toBe(429);
});

proves(['T-client-10'], 'an exchange token has so many tries a minute, from any address', async () => {
  const env = { EHR_RATE_LIMIT: 'on', EHR_RATE_PER_EXCHANGE_TOKEN: '3', EHR_TRUSTED_PROXIES: '127.0.0.1' };
  const { ehr, saveExchangeToken } = await unlinkedEhr({ env });
  await saveExchangeToken('exchange-tried', { user: 'u-1', token: 'token-1', ttl: 60 });
  let address = 0;
  const attempt = (exchangeToken: unknown, patientProperties: unknown, times = 1) => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'embedded_storage.authenticate',
      params: { exchangeToken, patientProperties },
    };
    const headers = { 'X-Forwarded-For': `192.0.2.${++address}` };
    return post(ehr.endpoint, JSON.stringify(times === 1 ? call : new Array(times).fill(call)), headers);
  };
  const nobody = { ...anna, surname: 'Nobody' };
  // Broken attempts count too.
  expect((await attempt('exchange-tried', nobody)).status).toBe(200);
  expect((await attempt('exchange-tried', 'broken')).status).toBe(200);
  expect((await attempt('exchange-tried', nobody)).status).toBe(200);
  const refused = await attempt('exchange-tried', anna);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^(5\d|60)$/),
  ]);
  expect(JSON.parse(refused.text).error).toMatchObject({
    reason: 'too_many_requests',
    limited: 'exchange_token',
  });
  expect((await attempt('exchange-other', anna)).status).toBe(200);
  expect((await attempt('x'.repeat(600), anna, 5)).status).toBe(200);
  expect((await attempt(7, anna, 5)).status).toBe(200);
  expect((await attempt('exchange-batch', nobody, 4)).status).toBe(429);
});

test('one flag turns all limits off', async () => {
  const { ehr } = await ehrAlone({
    env: { ...LOW_RATE, EHR_RATE_PER_EXCHANGE_TOKEN: '1', EHR_RATE_LIMIT: 'off' },
  });
  const method = 'embedded_storage.authenticate';
  const batch = batchOf(callText({ id: 1, method, params: { exchangeToken: 'x' } }));
  for (let turn = 0; turn < 3; turn++) expect((await post(ehr.endpoint, batch)).status).toBe(200);
});

test('the log says once a minute that requests are rejected, without naming the caller', async () => {
  const lines: string[] = [];
  const logTo = { level: 'warn', write: (line: string) => void lines.push(line) } as const;
  const { ehr, clock } = await ehrAlone({ env: LOW_RATE, logTo });
  await exhaust(ehr.endpoint);
  await exhaust(ehr.endpoint);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] as string)).toMatchObject({ limited: 'address', isForwarded: false });
  expect(lines.join()).not.toContain('127.0.0.1');
  clock.advance(60_000);
  await exhaust(ehr.endpoint);
  expect(lines.map((line) => JSON.parse(line).limited)).toEqual(['address', 'address']);
});
