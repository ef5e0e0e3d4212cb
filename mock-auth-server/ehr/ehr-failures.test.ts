import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import { proves } from '#testing/proves.ts';
import { ANNA, testConfig } from '../testing/config.ts';
import type { Behaviour } from '../testing/fake-ehr.ts';
import { type AuthWorld, signedInWorld, startWorld } from '../testing/start.ts';
import { createEhrClient, ehrEndpoint } from './ehr-client.ts';

test('the endpoint is the base URL, the version and a slash', () => {
  expect(ehrEndpoint({ ehrUrl: 'http://a', apiVersion: '1.0-alpha' })).toBe('http://a/1.0-alpha/');
  expect(ehrEndpoint({ ehrUrl: 'http://a/b', apiVersion: '' })).toBe('http://a/b/');
});

const SIGN = 'sign';
const TIMEOUT_MS = 5_000;

type Failure = { name: string; behaviour: Behaviour; reason: Reason };

const named = (reason: Reason, ...kinds: Behaviour['kind'][]): Failure[] =>
  kinds.map((kind) => ({ name: kind.replaceAll('_', ' '), behaviour: { kind } as Behaviour, reason }));
const failures: Failure[] = [
  ...named('ehr_bad_reply', 'wrong_id', 'not_json', 'truncated_json', 'not_utf8', 'empty', 'no_result'),
  ...named('ehr_bad_reply', 'too_large', 'redirect', 'cut_body'),
  ...named('ehr_unreachable', 'reset'),
  ...named('ehr_timeout', 'hang', 'hang_after_headers', 'hang_in_body'),
  ...[500, 204, 404].map((status): Failure => {
    return { name: `HTTP ${status}`, behaviour: { kind: 'status', status }, reason: 'ehr_bad_reply' };
  }),
  { name: 'a refusal', behaviour: { kind: 'refuse', reason: 'access_forbidden' }, reason: 'ehr_refused' },
];

/** Run `refused` against a failing EHR server, and move the clock if the failure is a timeout. */
async function failing<T>(
  { ehr, clock }: AuthWorld,
  { behaviour, reason }: Failure,
  refused: () => Promise<T>,
): Promise<T> {
  ehr.next(behaviour);
  const outcome = refused();
  await ehr.untilReceived();
  if (reason === 'ehr_timeout') clock.advance(TIMEOUT_MS);
  return outcome;
}

for (const failure of failures) {
  const { name, reason } = failure;

  test(`a sign-in opens no session when the EHR server answers ${name}`, async () => {
    const world = await startWorld();
    const params = await world.confirmation(ANNA, SIGN);
    expect(await failing(world, failure, () => world.refusal('auth.confirm_otp', params))).toMatchObject({
      reason,
    });
    const tried = world.ehr.received[0]?.body.params.authInfo;
    expect(await world.reason('auth.logout', {}, tried)).toBe('not_authorized');
    expect(world.ehr.received).toHaveLength(1);
    const signedIn = await world.call<{ authInfo: { token: string } }>('auth.confirm_otp', params);
    expect(signedIn).toMatchObject({ linked: true });
    expect(signedIn.authInfo.token).not.toBe(tried?.token);
  });

  test(`a reported link is not kept when the EHR server answers with ${name}`, async () => {
    const world = await startWorld();
    const { authInfo } = await world.signIn();
    const refusal = await failing(world, failure, () =>
      world.refusal('auth.report_link', { user_sign: SIGN }, authInfo),
    );
    expect(refusal).toMatchObject({ reason });
    expect(world.server.correspondence.list()).toMatchObject([{ userSignOnRecord: false }]);
  });
}

proves(
  [
    '1-exchange-token-ehr-first',
    '2.4-known-to-both',
    'K-failure-told',
    'K-failure-bounded',
    'K-failure-survived',
    'K-no-redirect',
  ],
  'no exchange token is given out in whatever way the EHR server fails',
  async () => {
    for (const failure of failures) {
      const world = await startWorld();
      const { authInfo } = await world.signIn();
      const refusal = await failing(world, failure, () => world.refusal('auth.exchange_token', {}, authInfo));
      expect(refusal, failure.name).toMatchObject({ reason: failure.reason });
      const tried = world.ehr.received[0]?.body.params.exchangeToken;
      expect(JSON.stringify(refusal)).not.toContain(tried);
      expect(world.ehr.received).toHaveLength(1);
      const { exchangeToken } = await world.call<{ exchangeToken: string }>(
        'auth.exchange_token',
        {},
        authInfo,
      );
      expect(exchangeToken).not.toBe(tried);
    }
  },
);

test('an EHR server that is not there is unreachable', async () => {
  const world = await startWorld();
  const { authInfo } = await world.signIn();
  await world.ehr.stop();
  expect(await world.refusal('auth.exchange_token', {}, authInfo)).toMatchObject({
    reason: 'ehr_unreachable',
    code: -36000,
  });
});

proves(['K-slow-reply-understood'], 'a reply a millisecond before the timeout is understood', async () => {
  const { authInfo, call, clock, ehr } = await signedInWorld({ config: { ehrTimeout: 700 } });
  const { asked, goOn } = await ehr.holding(() => call('auth.exchange_token', {}, authInfo));
  clock.advance(699);
  goOn();
  expect(await asked).toHaveProperty('exchangeToken');
});

for (const kind of ['hang_after_headers', 'hang_in_body'] as const)
  test(`the timeout covers the body too: ${kind.replaceAll('_', ' ')}`, async () => {
    const events = new EventEmitter();
    const headers = once(events, 'headers');
    const { clock, ehr, refusal, signIn } = await startWorld({
      fetch: async (...args) => {
        const response = await fetch(...args);
        events.emit('headers');
        return response;
      },
    });
    const { authInfo } = await signIn();
    ehr.next({ kind });
    const refused = refusal('auth.exchange_token', {}, authInfo);
    await headers;
    clock.advance(TIMEOUT_MS);
    expect(await refused).toMatchObject({ reason: 'ehr_timeout', code: -36001 });
  });

proves(['K-slow-reply-understood'], 'a reply in parts, cut within a character, is understood', async () => {
  const { authInfo, call, ehr } = await signedInWorld();
  ehr.next({ kind: 'in_parts' });
  expect(await call('auth.exchange_token', {}, authInfo)).toHaveProperty('exchangeToken');
});

proves(['K-save-reply-in-any-shape'], 'a result that is empty, or has own members, is success', async () => {
  const { authInfo, call, ehr } = await signedInWorld();
  for (const result of [{}, { id: 'r-1', storedAt: '2026-01-15T09:00:00.000Z' }]) {
    ehr.next({ kind: 'result', result });
    expect(await call('auth.exchange_token', {}, authInfo)).toHaveProperty('exchangeToken');
  }
});

test('calls to the EHR server are JSON, by the given fetch', async () => {
  const asked: unknown[] = [];
  const { reason, signIn } = await startWorld({
    fetch: (url, init) => {
      asked.push([url, init]);
      return Promise.reject(new TypeError('fetch failed'));
    },
    config: { ehrUrl: 'https://ehr.example', apiVersion: '2.0' },
  });
  const { authInfo } = await signIn();
  expect(await reason('auth.exchange_token', {}, authInfo)).toBe('ehr_unreachable');
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  expect(asked).toEqual([
    ['https://ehr.example/2.0/', expect.objectContaining({ method: 'POST', headers, redirect: 'manual' })],
  ]);
});

test('a refusal is passed on by its code and plain reason', async () => {
  const { authInfo, ehr, refusal } = await signedInWorld();
  const refused = async (behaviour: Behaviour) => {
    ehr.next(behaviour);
    return (await refusal('auth.exchange_token', {}, authInfo)).ehr;
  };
  const reason = 'not_authorized';
  expect(await refused({ kind: 'refuse', reason })).toEqual({ code: -33000, reason });
  const said = 'no such <b>token</b> Jx0c2Zl3';
  const words = { kind: 'refuse_in_its_own_words', code: -7, message: said } as const;
  expect(await refused(words)).toEqual({ code: -7 });
  for (const reason of [said, 5, null, true, ['not_authorized'], { toString: 'not_authorized' }])
    expect(await refused({ ...words, data: { reason } })).toEqual({ code: -7 });
});

test('a server that stops lets an EHR call under way finish', async () => {
  const { authInfo, call, ehr, server } = await signedInWorld();
  const { asked, goOn } = await ehr.holding(() => call('auth.exchange_token', {}, authInfo));
  const stopped = server.stop();
  goOn();
  expect(await asked).toHaveProperty('exchangeToken');
  await stopped;
});

test('a close gives up hanging EHR calls, logs it, leaves no timer', async () => {
  const clock = manualClock();
  let hanging = 0;
  const hang: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      hanging++;
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const logged: object[] = [];
  const log = { warn: (detail: object) => void logged.push(detail) };
  const client = createEhrClient({ config: testConfig(), clock, log, fetch: hang });
  const authInfo = { user: 'u', token: 't', ttl: 1 };
  const calls = [client.saveAuthInfo(authInfo, SIGN), client.saveExchangeToken('x', authInfo)];
  const ended = Promise.allSettled(calls);
  expect(hanging).toBe(2);
  client.close();
  expect(await ended).toMatchObject(
    calls.map(() => ({ status: 'rejected', reason: { reason: 'ehr_unreachable' } })),
  );
  expect(logged).toMatchObject(calls.map(() => ({ detail: 'The authorization server stops.' })));
  // The call is over. Whatever comes later belongs to a new call.
  clock.advance(10 * TIMEOUT_MS);
  const late = client.saveAuthInfo(authInfo, SIGN);
  clock.advance(TIMEOUT_MS);
  await expect(late).rejects.toMatchObject({ reason: 'ehr_timeout' });
});
