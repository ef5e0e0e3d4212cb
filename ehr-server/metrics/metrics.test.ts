import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { openControl } from '#service/http/control.ts';
import { INTERNAL_PASSWORD } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { post } from '#testing/wire.ts';
import { ehrAlone, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import { METRICS_PATH } from './serve.ts';

const INTERNAL = { EHR_INTERNAL_PORT: '0' };

type Sample = { name: string; labels: Record<string, string>; value: number };

const COMMENT = /^# (?:HELP|TYPE) \w+ .+$/;
const SAMPLE = /^(\w+)(?:\{((?:\w+="[^"\\\n]*",?)*)\})? (-?[0-9.e+-]+|Nan)$/;

/** Read the text format of Prometheus, and fail on any line that does not fit it. */
function parse(text: string): { samples: Sample[]; types: Map<string, string> } {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => !COMMENT.test(line) && !SAMPLE.test(line))).toEqual([]);
  const types = [...text.matchAll(/^# TYPE (\w+) (.+)$/gm)].map(
    ([, name = '', type = '']) => [name, type] as const,
  );
  const samples = lines.flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, label]) => [key, label]);
    return name === undefined ? [] : [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
  const series = samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
  expect(new Set(series).size).toBe(series.length);
  return { samples, types: new Map(types) };
}

async function metricsOf(url: string) {
  const reply = await fetch(url + METRICS_PATH);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const text = await reply.text();
  const { samples, types } = parse(text);
  const valueIn = (name: string, labels: Record<string, string> = {}) =>
    samples.find(
      (it) => it.name === name && Object.entries(labels).every(([key, value]) => it.labels[key] === value),
    )?.value;
  return { text, samples, types, valueIn };
}

test('the metrics are text that Prometheus reads: calls, durations, commits, connections, build and process', async () => {
  const folder = folderInMemory();
  const env = { ...INTERNAL, EHR_DATABASE: join(folder, 'ehr.sqlite') };
  const { ehr, call, clock, mis, saveExchangeToken } = await unlinkedEhr({ env });
  await saveExchangeToken('exchange-metrics', { user: 'u-1', token: 'token-1', ttl: 60 });
  // Looking up the patient takes 30 milliseconds on the server's own clock.
  const match = mis.match.bind(mis);
  mis.match = (query) => {
    clock.advance(30);
    return match(query);
  };
  await call('embedded_storage.authenticate', { exchangeToken: 'exchange-metrics', patientProperties: anna });
  for (let turn = 0; turn < 3; turn++)
    await call('patient.get_patient', {}, { user: 'u-1', token: 'token-1' });
  await call('patient.get_patient', {}, { user: 'u-1', token: 'wrong' });
  await post(ehr.endpoint, '{');
  await post(ehr.endpoint, callText({ id: 1, method: 'no.such_method' }));
  const { valueIn, types, samples } = await metricsOf(ehr.internalUrl);
  const calls = (method: string, channel: string, outcome: string) =>
    valueIn('ehr_calls_total', { method, channel, outcome });
  expect(calls('embedded_storage.save_exchange_token', 'internal', 'ok')).toBe(1);
  expect(calls('embedded_storage.authenticate', 'public', 'ok')).toBe(1);
  expect(calls('patient.get_patient', 'public', 'ok')).toBe(3);
  expect(calls('patient.get_patient', 'public', 'not_authorized')).toBe(1);
  expect(calls('(unknown)', 'public', 'parse_error')).toBe(1);
  expect(calls('(unknown)', 'public', 'method_not_found')).toBe(1);

  const took = { method: 'embedded_storage.authenticate' };
  expect(valueIn('ehr_call_duration_seconds_bucket', { ...took, le: '0.025' })).toBe(0);
  expect(valueIn('ehr_call_duration_seconds_bucket', { ...took, le: '0.05' })).toBe(1);
  expect(valueIn('ehr_call_duration_seconds_bucket', { ...took, le: '+Inf' })).toBe(1);
  expect(valueIn('ehr_call_duration_seconds_sum', took)).toBe(0.03);
  expect(valueIn('ehr_call_duration_seconds_count', { method: 'patient.get_patient' })).toBe(4);

  // One commit for the exchange token, one for the link, and one for each record of an access.
  expect(valueIn('ehr_commit_group_size_count')).toBe(5);
  expect(valueIn('ehr_commit_group_size_bucket', { le: '1' })).toBe(5);
  expect(valueIn('ehr_open_connections', { channel: 'internal' })).toBeGreaterThan(0);
  expect(valueIn('ehr_open_connections', { channel: 'public' })).toBeGreaterThan(0);
  expect(samples.find(({ name }) => name === 'ehr_build_info')?.labels).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    engine: 'sqlite',
  });
  expect(valueIn('ehr_purged_rows_total')).toBe(0);
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    expect([name, types.has(name), valueIn(name) !== undefined]).toEqual([name, true, true]);
});

test('what is refused before it is a call is counted by its fault', async () => {
  const env = { ...INTERNAL, EHR_RATE_LIMIT: 'on', EHR_RATE_PER_ADDRESS: '20' };
  const { ehr } = await ehrAlone({ env });
  await fetch(ehr.endpoint);
  await post(ehr.endpoint, '{}', { 'content-type': 'text/plain' });
  await post(ehr.endpoint, 'x'.repeat(2_000_000));
  await fetch(`${ehr.url}/nothing`);
  const batch = `[${new Array(100).fill(callText({ id: 1, method: 'patient.get_patient' })).join()}]`;
  expect((await post(ehr.endpoint, batch)).status).toBe(200);
  expect((await post(ehr.endpoint, batch)).status).toBe(429);
  const { valueIn } = await metricsOf(ehr.internalUrl);
  const faults = (status: number) => valueIn('ehr_http_faults_total', { status: `${status}` });
  expect([404, 405, 413, 415, 429].map(faults)).toEqual([1, 1, 1, 1, 1]);
  expect(valueIn('ehr_rate_limited_total', { limited: 'address' })).toBe(1);
});

test('rows that a purge deleted are counted', async () => {
  const { ehr, clock, saveExchangeToken } = await ehrAlone({ env: INTERNAL });
  const authInfo = { user: 'u-1', token: 'token-1', ttl: 60 };
  for (const token of ['exchange-1', 'exchange-2']) await saveExchangeToken(token, authInfo);
  clock.advance(40 * 86_400_000);
  let purged: number | undefined = 0;
  while (purged === 0) {
    clock.advance(60_000);
    purged = (await metricsOf(ehr.internalUrl)).valueIn('ehr_purged_rows_total');
  }
  expect(purged).toBe(2);
});

test('each server counts for itself, though they share a process', async () => {
  const [first, second] = [await ehrAlone({ env: INTERNAL }), await ehrAlone({ env: INTERNAL })];
  await first.call('rpc.discover');
  const counted = async ({ ehr }: typeof first) =>
    (await metricsOf(ehr.internalUrl)).valueIn('ehr_calls_total', { method: 'rpc.discover' });
  expect([await counted(first), await counted(second)]).toEqual([1, undefined]);
  expect([await counted(first), await counted(second)]).toEqual([1, undefined]);
});

test('the public listener knows nothing of metrics', async () => {
  for (const env of [{}, INTERNAL]) {
    const { ehr } = await ehrAlone({ env });
    for (const path of ['/metrics', '/metrics/', '/metrics?x', '//metrics', '/METRICS']) {
      const reply = await fetch(ehr.url + path);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(await reply.text()).not.toContain('ehr_');
    }
  }
});

test('metrics are read and nothing else; the control port has them for the harness', async () => {
  const { ehr } = await ehrAlone({ env: INTERNAL });
  const put = await fetch(ehr.internalUrl + METRICS_PATH, { method: 'POST', body: 'x' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await fetch(ehr.internalUrl + METRICS_PATH, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const control = await openControl(manualClock(), 0, '--control-port', ehr.controlRoutes);
  onTestFinished(() => control.stop());
  expect((await metricsOf(control.url)).valueIn('ehr_build_info')).toBe(1);
});

test('every label is of our own tables, and no secret is told', async () => {
  const { ehr, call, saveExchangeToken } = await unlinkedEhr({ env: INTERNAL });
  await saveExchangeToken('exchange-secret', { user: 'u-secret', token: 'token-secret', ttl: 60 });
  await call('embedded_storage.authenticate', { exchangeToken: 'exchange-secret', patientProperties: anna });
  for (let number = 0; number < 50; number++) {
    const method = `made.up_${number}"} 1\n`;
    await post(
      ehr.endpoint,
      callText({ id: number, method, cred: { user: 'u-secret', token: 'token-secret' } }),
    );
    await fetch(`${ehr.url}/made-up-${number}`);
  }
  const { text, samples } = await metricsOf(ehr.internalUrl);
  for (const secret of ['secret', 'made', INTERNAL_PASSWORD, anna.surname, anna.phone, '127.0.0.1'])
    expect(text).not.toContain(secret);
  const outcomes = ['ok', ...Object.keys(errorTable)];
  const methods = [...Object.keys(ehrMethods), '(unknown)'];
  for (const { labels } of samples.filter(({ name }) => name === 'ehr_calls_total')) {
    expect(methods).toContain(labels.method);
    expect(outcomes).toContain(labels.outcome);
  }
  expect(samples.length).toBeLessThan(600);
});
