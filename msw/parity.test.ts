import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { startWorld } from '#testing/worlds/world.ts';
import { authHandlers } from './auth-handlers.ts';
import { ehrHandlers } from './ehr-handlers.ts';
import { AUTH, EHR, ENDPOINT } from './testing.ts';

/** The two endpoints, and the server of the outbox: the real ones over HTTP, or the handlers. */
type ServerAddresses = { ehr: string; endpoint: string; auth: string };

const JSON_TYPE = { 'Content-Type': 'application/json' };
const PHONE = personas.anna.signIn;
const ORIGIN = 'http://localhost:4300';
const call = (method: string, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...more });
const post = (body: string, headers: Record<string, string> = JSON_TYPE): RequestInit => ({
  method: 'POST',
  headers,
  body,
});
const preflight = {
  method: 'OPTIONS',
  headers: {
    Origin: ORIGIN,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type',
  },
};

/** Each with its place, in this order. The rules behind HTTP are the same code on both sides. */
const REQUESTS: Readonly<Record<string, (places: ServerAddresses) => [url: string, init?: RequestInit]>> = {
  'a call': ({ endpoint }) => [endpoint, post(call('rpc.discover'))],
  'a call without the slash': ({ endpoint }) => [endpoint.replace(/\/$/, ''), post(call('rpc.discover'))],
  'a call that is refused': ({ endpoint }) => [endpoint, post(call('patient.get_patient'))],
  'a call in text': ({ endpoint }) => [
    endpoint,
    post(call('rpc.discover'), { 'Content-Type': 'text/plain' }),
  ],
  'a call with a charset': ({ endpoint }) => [
    endpoint,
    post(call('rpc.discover'), { 'Content-Type': 'application/json; charset=utf-8' }),
  ],
  'a call from a page': ({ endpoint }) => [endpoint, post(call('no.such'), { ...JSON_TYPE, Origin: ORIGIN })],
  'a notification': ({ endpoint }) => [
    endpoint,
    post(JSON.stringify({ jsonrpc: '2.0', method: 'rpc.discover' })),
  ],
  'no JSON': ({ endpoint }) => [endpoint, post('{')],
  'no text': ({ endpoint }) => [endpoint, post('')],
  'an empty batch': ({ endpoint }) => [endpoint, post('[]')],
  'a batch': ({ endpoint }) => [endpoint, post(`[${call('no.such')},${call('rpc.discover')},1]`)],
  'a long body': ({ endpoint }) => [endpoint, post(`"${'x'.repeat(1024 * 1024)}"`)],
  'a read of the endpoint': ({ endpoint }) => [endpoint],
  'a preflight': ({ endpoint }) => [endpoint, preflight],
  'another version': ({ ehr }) => [`${ehr}/2.0/`, post(call('rpc.discover'))],
  'a call at the other server': ({ auth }) => [
    auth,
    post(call('auth.request_otp', { params: { phone: PHONE } })),
  ],
  'the same again': ({ auth }) => [auth, post(call('auth.request_otp', { params: { phone: PHONE } }))],
  'a test login that is not allowed': ({ auth }) => [
    auth,
    post(call('auth.login', { params: { user: 'u' } })),
  ],
  'a preflight at the other server': ({ auth }) => [auth, preflight],
  'the outbox of nobody': ({ auth }) => [`${auth}/outbox?to=79990000098`],
  'the outbox with a wrong wait': ({ auth }) => [`${auth}/outbox?wait=soon`],
  'the outbox after a wrong cursor': ({ auth }) => [`${auth}/outbox?after=x`],
  'the outbox for a page': ({ auth }) => [`${auth}/outbox?to=79990000098`, { headers: { Origin: ORIGIN } }],
};

const COMPARED_HEADERS = [
  ...['allow', 'content-type', 'access-control-allow-origin', 'access-control-allow-credentials'],
  ...['access-control-allow-methods', 'access-control-expose-headers', 'outbox-cursor'],
];

async function answersOf(places: ServerAddresses): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, requestAt] of Object.entries(REQUESTS)) {
    const response = await fetch(...requestAt(places));
    const headers = COMPARED_HEADERS.map((header) => [header, response.headers.get(header)]);
    const text = await response.text();
    answers[name] = { status: response.status, headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  return answers;
}

test('the handlers add to the rules of the servers what HTTP adds', async () => {
  const world = await startWorld({
    env: { EHR_ORIGINS: ORIGIN, AUTH_ORIGINS: ORIGIN, AUTH_OTP_RESEND_AFTER: '30' },
  });
  const { ehr, auth } = world;
  const real = await answersOf({ ehr: ehr.url, endpoint: ehr.endpoint, auth: auth.url }).finally(() =>
    world.stop(),
  );
  const handlers = ehrHandlers({ url: EHR, clock: manualClock() });
  const server = setupServer(...handlers, ...authHandlers({ url: AUTH, ehr: handlers }));
  server.listen({ onUnhandledRequest: 'error' });
  const mocked = await answersOf({ ehr: EHR, endpoint: ENDPOINT, auth: AUTH }).finally(() => server.close());
  expect(mocked).toEqual(real);
});
