import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { proves } from '#testing/proves.ts';
import type { Call } from './calls.ts';
import { results } from './flow/testing/walk.ts';
import {
  CALL_TIMEOUT_MS,
  type ClientConfig,
  createRpc,
  type Exchange,
  loadConfig,
  MAX_REPLY_BYTES,
} from './rpc.ts';

const config: ClientConfig = {
  ehrUrl: 'https://ehr.example.org/base/',
  apiVersion: '1.0-alpha',
  authUrl: 'https://auth.example.org',
  ttlUnit: 'minutes',
};
const cred = { user: 'u-1', token: 't-1' };
const toEhr: Call = { server: 'ehr', method: 'embedded_storage.remove_auth_info', params: {}, cred };
const toAuth: Call = { server: 'auth', method: 'auth.exchange_token', params: {}, cred };
const toRequest: Call = { server: 'auth', method: 'auth.request_otp', params: { phone: '79990000001' } };
const toRead: Call = { server: 'ehr', method: 'patient.get_patient', params: {}, cred };
const toLink: Call = {
  server: 'ehr',
  method: 'embedded_storage.authenticate',
  params: {
    exchangeToken: 'x',
    patientProperties: { name: 'A', surname: 'B', date: '1985-04-12', phone: '7' },
  },
};

type Sent = { url: string; init: RequestInit; body: Record<string, unknown> };

/** Creates an rpc whose servers reply with the result of `answer`. */
function rpcAnswering(
  answer: (sent: Sent) => Response | Promise<Response>,
  settings: Partial<ClientConfig> = {},
) {
  const sent: Sent[] = [];
  const exchanges: Exchange[] = [];
  const clock = manualClock();
  const rpc = createRpc({
    config: { ...config, ...settings },
    clock,
    observe: (exchange) => void exchanges.push(exchange),
    fetch: async (url, init = {}) => {
      const one = { url: String(url), init, body: JSON.parse(String(init.body)) as Record<string, unknown> };
      sent.push(one);
      return answer(one);
    },
  });
  return { rpc, clock, sent, exchanges };
}

const reply = (body: object) => Response.json(body);
const refuses = (error: object) => (sent: Sent) =>
  reply({ jsonrpc: '2.0', error: { message: 'no', ...error }, id: sent.body.id });
const ok = (result: object) => (sent: Sent) => reply({ jsonrpc: '2.0', result, id: String(sent.body.id) });

proves(
  [
    '2.1-jsonrpc-sent',
    '2.1-id-sent',
    '2.1-method-sent',
    '2.1-params-sent',
    '2.1-cred-sent',
    '2.2-user-names-caller',
    '4-post-json',
    '9-version-in-path',
  ],
  'a call is a JSON-RPC request by POST to its server’s endpoint',
  async () => {
    const { rpc, sent } = rpcAnswering(ok({}));
    expect(await rpc.call(toEhr)).toEqual({ ok: true, result: {} });
    await rpc.call(toEhr);
    expect(sent[0]?.url).toBe('https://ehr.example.org/base/1.0-alpha/');
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'include',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    expect(sent[0]?.body).toEqual({ jsonrpc: '2.0', id: 1, method: toEhr.method, params: {}, cred });
    expect(sent[1]?.body.id).toBe(2);
  },
);

test('the authorization server is called at its root; versions may be empty', async () => {
  const { rpc, sent } = rpcAnswering(ok({ exchangeToken: 'x' }), { apiVersion: '' });
  await rpc.call(toAuth);
  await rpc.call(toEhr);
  expect(sent.map(({ url }) => url)).toEqual(['https://auth.example.org/', 'https://ehr.example.org/base/']);
});

test('an answer to authenticate may leave the record to the next call', async () => {
  for (const result of [{}, { linked: true }])
    expect(await rpcAnswering(ok(result)).rpc.call(toLink)).toEqual({ ok: true, result: undefined });
  for (const result of ['linked', { patient: 'Anna' }])
    expect(await rpcAnswering(ok(result as object)).rpc.call(toLink)).toMatchObject({ failure: nonsense });
  expect(await rpcAnswering(ok({})).rpc.call(toRead)).toMatchObject({ failure: nonsense });
});

test('a signature of one name, and an error by number, are understood', async () => {
  const { patient, user_sign } = results['patient.get_patient'];
  for (const sign of [{ user_sign }, { userSign: user_sign }]) {
    const { rpc } = rpcAnswering(ok({ patient, ...sign }));
    expect(await rpc.call(toRead)).toMatchObject({ ok: true, result: { user_sign, userSign: user_sign } });
  }
  const refused = (code: number, call: Call) => rpcAnswering(refuses({ code })).rpc.call(call);
  expect(await refused(-33000, toRead)).toMatchObject({ failure: { reason: 'not_authorized' } });
  expect(await refused(-33001, toRead)).toMatchObject({ failure: { reason: 'session_expired' } });
  expect(await refused(-33001, toLink)).toMatchObject({ failure: { reason: 'exchange_token_expired' } });
  expect(await refused(-1, toRead)).toMatchObject({ failure: { code: -1, reason: undefined } });
});

test('a refusal keeps its code, reason, sentences and the EHR server’s', async () => {
  const data = { reason: 'ehr_refused', errors: ['one', 2], ehr: { code: -34007, reason: 'user_unknown' } };
  const { rpc } = rpcAnswering(refuses({ code: -36003, data }));
  expect(await rpc.call(toAuth)).toEqual({
    ok: false,
    failure: {
      kind: 'refused',
      server: 'auth',
      code: -36003,
      reason: 'ehr_refused',
      errors: ['one'],
      ehr: { code: -34007, reason: 'user_unknown' },
    },
  });
});

test('a refusal with an unknown reason or number is still a refusal', async () => {
  for (const data of [
    undefined,
    null,
    'x',
    { reason: 'constructor' },
    { reason: 5, errors: 'x', ehr: { code: 'x' } },
  ]) {
    const { rpc } = rpcAnswering(refuses({ code: -1, data }));
    expect(await rpc.call(toEhr)).toEqual({
      ok: false,
      failure: { kind: 'refused', server: 'ehr', code: -1, reason: undefined, errors: [], ehr: undefined },
    });
  }
});

test('a reason that the method cannot have is no reason', async () => {
  const reasonAfter = (reason: Reason, call: Call) =>
    rpcAnswering(refuses({ code: errorTable[reason].code, data: { reason } })).rpc.call(call);
  const unexplained = { failure: { kind: 'refused', reason: undefined } };
  // Within a session the person typed nothing that could be corrected.
  expect(await reasonAfter('invalid_params', toRead)).toMatchObject(unexplained);
  expect(await reasonAfter('otp_wrong', toRead)).toMatchObject(unexplained);
  expect(await reasonAfter('patient_not_matched', toRequest)).toMatchObject(unexplained);
  expect(await reasonAfter('invalid_params', toRequest)).toMatchObject({
    failure: { reason: 'invalid_params' },
  });
  expect(await reasonAfter('session_expired', toRead)).toMatchObject({
    failure: { reason: 'session_expired' },
  });
});

const cutOff = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"jsonrpc"'));
      controller.error(new TypeError('cut'));
    },
  });
const nonsense = { kind: 'nonsense' };
const unreachable = { kind: 'unreachable' };
const failures: [string, Call, object, (sent: Sent) => Response | Promise<Response>][] = [
  ['an answer that is not JSON', toAuth, nonsense, () => new Response('<html>')],
  ['an empty answer', toAuth, nonsense, () => new Response('')],
  ['an answer without a body', toAuth, nonsense, () => new Response(null)],
  ['an answer that is no JSON-RPC', toAuth, nonsense, () => reply({ result: {}, id: 1 })],
  ['an answer to another call', toAuth, nonsense, () => reply({ jsonrpc: '2.0', result: {}, id: 99 })],
  ['an answer without what the method promises', toAuth, nonsense, ok({})],
  ['an answer too long', toAuth, nonsense, () => new Response(new Uint8Array(MAX_REPLY_BYTES + 1))],
  ['an answer that is not UTF-8', toAuth, nonsense, () => new Response(Uint8Array.of(0x22, 0xff, 0x22))],
  ['an error without a number', toAuth, nonsense, refuses({ code: 'E7' })],
  ['a code of no digits', toRequest, nonsense, ok({ digits: 0, expiresIn: 300, resendAfter: 30 })],
  [
    'an empty signature',
    toRead,
    nonsense,
    ok({ ...results['patient.get_patient'], user_sign: '', userSign: '' }),
  ],
  ['a server that is not there', toEhr, unreachable, () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer that breaks off', toEhr, nonsense, () => new Response(cutOff())],
];
for (const status of [204, 301, 404, 429, 500, 503])
  failures.push([`HTTP ${status}`, toEhr, { kind: 'http', status }, () => new Response(null, { status })]);

test.each(failures)(
  '%s is a failure of its own kind, which names the server',
  async (_what, call, failure, answer) => {
    const outcome = await rpcAnswering(answer).rpc.call(call);
    expect(outcome).toEqual({ ok: false, failure: { ...failure, server: call.server } });
  },
);

test('a call is given up at ten seconds on the clock, and not before', async () => {
  let signal: AbortSignal | undefined;
  const { rpc, clock } = rpcAnswering(({ init }) => {
    signal = init.signal ?? undefined;
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal?.reason)));
  });
  const outcome = rpc.call(toEhr);
  clock.advance(CALL_TIMEOUT_MS - 1);
  expect(signal?.aborted).toBe(false);
  clock.advance(1);
  expect(signal?.aborted).toBe(true);
  expect(await outcome).toEqual({ ok: false, failure: { kind: 'timeout', server: 'ehr' } });
});

test('an answer in time leaves no alarm behind', async () => {
  let signal: AbortSignal | undefined;
  const { rpc, clock } = rpcAnswering((sent) => {
    signal = sent.init.signal ?? undefined;
    return ok({})(sent);
  });
  await rpc.call(toEhr);
  clock.advance(CALL_TIMEOUT_MS);
  expect(signal?.aborted).toBe(false);
});

test('whoever observes sees each call as it is sent and as it is settled', async () => {
  const { rpc, exchanges, clock } = rpcAnswering((sent) => {
    clock.advance(12);
    return ok({})(sent);
  });
  await rpc.call(toEhr);
  expect(exchanges).toMatchObject([
    { id: 1, server: 'ehr', method: toEhr.method, phase: 'sent', request: { id: 1, cred } },
    { id: 1, phase: 'settled', reply: { result: {} }, outcome: { ok: true } },
  ]);
  expect((exchanges[1]?.at ?? 0) - (exchanges[0]?.at ?? 0)).toBe(12);
});

test('the settings are fetched from the page’s own server and checked', async () => {
  const from = (response: Response) => loadConfig(manualClock(), async () => response);
  const settings = {
    ehrUrl: 'http://e:1',
    apiVersion: '',
    authUrl: 'http://a:2',
    smsUrl: 'http://a:2/sms',
    ttlUnit: 'seconds',
  };
  expect(await from(Response.json(settings))).toEqual(settings);
  await expect(from(Response.json({ ...settings, ehrUrl: 'javascript:alert(1)' }))).rejects.toThrow();
  await expect(from(new Response(null, { status: 502 }))).rejects.toThrow('HTTP 502');
  for (const wrong of ['<html>', '', '{"ehrUrl"'])
    await expect(from(new Response(wrong))).rejects.toThrow('The answer has no settings.');
});

test('settings that do not come are given up at ten seconds on the clock', async () => {
  const clock = manualClock();
  const loading = loadConfig(
    clock,
    (_url, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  clock.advance(CALL_TIMEOUT_MS);
  await expect(loading).rejects.toThrow('no answer within ten seconds');
});
