import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { startBetween } from '../../../engine/learn/between/between.ts';
import { type SeenExchange, seenExchanges } from '../../../engine/learn/exchange.ts';
import { readHarFile } from '../../../engine/learn/har.ts';
import { example } from '../../../testing/cli.ts';
import { harFileOf } from '../../../testing/har-of.ts';
import { type InternalUser, linkAndDisconnect } from '../../../testing/link-and-disconnect.ts';
import { INTERNAL, ORIGIN, serveEhr } from '../self-test/serve.ts';
import { openEhrUnderTest } from '../server-of-file.ts';
import { loadEhrFile } from '../settings.ts';
import { lackingEhr } from './lacking.ts';
import { seenEhr } from './seen-ehr.ts';

type Endpoints = { url: string; internalUrl: string };

/** Records one link and its end as the two callers of the server make it, and reads it back from a HAR. */
async function recordedAt({ url, internalUrl }: Endpoints, internal: InternalUser): Promise<SeenExchange[]> {
  const open = async (server: string) => {
    const between = await startBetween({ server, port: 0, clock: systemClock, say: () => undefined });
    onTestFinished(() => between.stop());
    return { ...between, endpoint: between.url + new URL(server).pathname };
  };
  const [clients, authServer] = [await open(url), await open(internalUrl)];
  const endpoints = { clients: clients.endpoint, authServer: authServer.endpoint };
  await linkAndDisconnect(endpoints, internal, ORIGIN);
  return readHarFile(harFileOf([...authServer.exchanges(), ...clients.exchanges()]));
}

const valuesOf = (exchanges: readonly SeenExchange[]) =>
  Object.fromEntries(Object.entries(seenEhr(exchanges)).map(([name, guess]) => [name, guess?.value]));

test('a recording of the plain EHR server shows all that the file says', { timeout: 60_000 }, async () => {
  const loaded = loadEhrFile(example('plain-ehr.yaml'), {});
  const { signal } = new AbortController();
  const plain = await openEhrUnderTest({ loaded, clock: systemClock, seed: 1, env: process.env, signal });
  onTestFinished(() => plain.close());
  const { server, internalUrl = '', internal, origin } = plain.settings;
  const seen = await recordedAt({ url: server.url, internalUrl }, internal);
  const shown = { url: server.url, internalUrl, origin, replyId: 'string', ttlUnit: 'minutes' };
  expect(valuesOf(seen)).toEqual(shown);
  expect(lackingEhr(seenEhr(seen))).toEqual([]);
});

test('a recording of the reference EHR server shows it too, without values', async () => {
  const served = await serveEhr({});
  onTestFinished(() => served.close());
  const { url, internalUrl } = served;
  const seen = await recordedAt({ url, internalUrl }, INTERNAL);
  const shown = { url, internalUrl, origin: ORIGIN, replyId: 'string', ttlUnit: 'minutes' };
  expect(valuesOf(seen)).toEqual(shown);
  expect(JSON.stringify(seenEhr(seen))).not.toMatch(/anna|petrova|7999/i);
  expect(seenEhr(seen).url?.because).toBe(
    'embedded_storage.authenticate was sent there (request 2 and 2 more)',
  );
});

const URL_ = 'https://ehr.test/1.0-alpha/';

/** One call with its reply, `at` seconds after the beginning. */
const called = (
  at: number,
  call: object,
  reply: object,
  more: { url?: string; headers?: [string, string][] } = {},
) => ({
  startedAt: at * 1_000,
  request: { method: 'POST', url: more.url ?? URL_, headers: more.headers ?? [], body: JSON.stringify(call) },
  answer: { status: 200, headers: [] as [string, string][], body: JSON.stringify(reply) },
});
const saved = (at: number, ttl: number) =>
  called(
    at,
    { id: 'a', method: 'embedded_storage.save_auth_info', params: { authInfo: { token: 't', ttl } } },
    { result: {} },
  );
const readAt = (at: number, reply: object) =>
  called(at, { id: 'a', method: 'patient.get_patient', params: {}, cred: { token: 't' } }, reply);
const alive = { result: {} };
const expired = { error: { code: -33001 } };

test.each([
  [
    'a session that outlives its ttl in seconds',
    [saved(0, 60), readAt(61, alive)],
    'minutes',
    /lived 61 s later \(request 2\)/,
  ],
  [
    'a session that ends before its ttl in minutes',
    [saved(0, 1_440), readAt(1_500, expired)],
    'seconds',
    /had expired 1500 s later/,
  ],
  [
    'a rest that is less by the seconds between',
    [saved(0, 1_440), saved(20, 1_420)],
    'seconds',
    /less by 20 after 20 s/,
  ],
  [
    'a rest that is less by the minutes between',
    [saved(0, 7_200), saved(600, 7_190)],
    'minutes',
    /less by 10 after 600 s/,
  ],
  [
    'a whole number of hours in seconds',
    [saved(0, 86_400)],
    'seconds',
    /1440 hours in minutes, 24 hours in seconds/,
  ],
  ['any other number', [saved(0, 1_440)], 'minutes', /24 hours in minutes, 0.4 hours in seconds/],
] as const)('%s tells the unit of ttl', (_what, raw, unit, because) => {
  const { ttlUnit } = seenEhr(seenExchanges(raw));
  expect(ttlUnit).toEqual({ value: unit, because: expect.stringMatching(because) });
});

test('an id that is a number tells its form, and a text does not', () => {
  const sent = (id: unknown, replied: unknown) =>
    seenEhr(seenExchanges([called(0, { id, method: 'patient.get_patient' }, { id: replied, result: {} })]));
  expect(sent(7, 7).replyId?.value).toBe('echo');
  expect(sent(7, '7').replyId?.value).toBe('string');
  expect(sent('7', '7').replyId).toBeUndefined();
});

test('an origin counts only where the server allows it', () => {
  const sent = (allowed: string) => {
    const headers: [string, string][] = [['Origin', 'https://app.test']];
    const one = called(0, { id: 1, method: 'patient.get_patient' }, alive, { headers });
    one.answer.headers.push(['access-control-allow-origin', allowed]);
    return seenEhr(seenExchanges([one])).origin?.value;
  };
  expect([sent('https://app.test'), sent('*'), sent('https://other.test')]).toEqual([
    'https://app.test',
    'https://app.test',
    undefined,
  ]);
});

test('an address is taken without user, password and query', () => {
  const url = 'https://u:secret@ehr.test/1.0-alpha/?key=secret';
  const one = called(0, { id: 1, method: 'patient.get_patient' }, alive, { url });
  expect(seenEhr(seenExchanges([one])).url?.value).toBe(URL_);
});

test('what a recording does not show is told with the action that shows it', () => {
  const lacking = lackingEhr(seenEhr(seenExchanges([readAt(0, alive)])));
  expect(lacking).toEqual([
    expect.stringMatching(
      /^Not seen: the endpoint of the internal channel\. To show it, give your authorization server/,
    ),
    'Not seen: the form of reply ids. To show it, send one call whose id is a number.',
    expect.stringMatching(/^Not seen: the unit of ttl\./),
    expect.stringMatching(/^Not seen: a web origin that may call\./),
  ]);
});
