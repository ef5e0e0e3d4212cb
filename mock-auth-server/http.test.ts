import { expect, test } from 'vitest';
import { callText, MAX_BATCH } from '#protocol/wire/envelope.ts';
import { proves } from '#testing/proves.ts';
import { ANNA } from './testing/config.ts';
import { type AuthWorld, startWorld } from './testing/start.ts';

const ORIGIN = 'http://localhost:4300';
const json = { 'content-type': 'application/json' };

const post = ({ server }: AuthWorld, body: string, headers: Record<string, string> = {}) =>
  fetch(server.url, { method: 'POST', headers: { ...json, ...headers }, body });
const LOG_OUT = callText({ id: 1, method: 'auth.logout' });

proves(['DA-endpoint'], 'calls are posted to the root path, and ids keep their type', async () => {
  const world = await startWorld();
  for (const id of [1, '1', 'a-b', null]) {
    const response = await post(world, JSON.stringify({ ...JSON.parse(LOG_OUT), id }));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, error: { data: { reason: 'not_authorized' } } });
  }
});

proves(['DA-cors'], 'a page of a configured origin may call and read the outbox, no other', async () => {
  const world = await startWorld({ config: { origins: [ORIGIN] } });
  const { server } = world;
  const allowed = (response: Response) => [
    response.headers.get('access-control-allow-origin'),
    response.headers.get('access-control-allow-credentials'),
  ];
  for (const [origin, expected] of [
    [ORIGIN, [ORIGIN, 'true']],
    ['http://localhost:4301', [null, null]],
    ['null', [null, null]],
  ] as const) {
    const preflight = {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'content-type' },
    };
    for (const path of ['/', '/outbox']) {
      const response = await fetch(server.url + path, preflight);
      expect(response.status).toBe(204);
      expect(allowed(response)).toEqual(expected);
    }
    expect(allowed(await post(world, LOG_OUT, { origin }))).toEqual(expected);
    expect(allowed(await fetch(`${server.url}/outbox`, { headers: { origin } }))).toEqual(expected);
    expect(allowed(await fetch(`${server.url}/outbox?wait=x`, { headers: { origin } }))).toEqual(expected);
  }
});

proves(['DA-outbox-page'], 'the page is served under a policy without inline scripts', async () => {
  const { server } = await startWorld();
  for (const path of ['/', '/sms', '/sms?to=7999']) {
    const response = await fetch(server.url + path);
    expect(response.headers.get('content-type')).toMatch('text/html');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    // The whole page is sent, whatever range is requested.
    expect((await fetch(server.url + path, { headers: { Range: 'bytes=0-9' } })).status).toBe(200);
    const html = await response.text();
    expect(html).toContain('>Messages</h1>');
    expect(html).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style=/);
    for (const [, part] of html.matchAll(/(?:src|href)="(\/sms\/[^"]+)"/g))
      expect((await fetch(server.url + part)).status).toBe(200);
  }
  expect((await fetch(`${server.url}/sms/messages.html`)).status).toBe(404);
});

test('health and readiness are answered, and what is absent says what is there', async () => {
  const { server } = await startWorld();
  expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' });
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' });
  const missing = await fetch(`${server.url}/auth`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { reason: 'not_found', endpoint: '/' } });
  const posted = await fetch(`${server.url}/outbox`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('the log has no phone, address, code, token, signature or password in it', async () => {
  const world = await startWorld();
  const { authInfo } = await world.signIn(ANNA);
  await world.call('auth.report_link', { user_sign: 'a-user-sign' }, authInfo);
  const { exchangeToken } = await world.call<{ exchangeToken: string }>('auth.exchange_token', {}, authInfo);
  const mail = 'canary@example.org';
  const code = await world.code(mail);
  world.ehr.next({ kind: 'not_json' }, { kind: 'reset' }, { kind: 'status', status: 500 });
  for (let tries = 0; tries < 3; tries++)
    await world.refusal('auth.confirm_otp', { email: mail, code, ehr_user_sign: 'a-user-sign' });
  await world.refusal('auth.confirm_otp', { email: mail, code: '999999x' });
  await world.refusal('auth.logout', {}, { user: authInfo.user, token: 'canary-token' });
  const logged = world.logged();
  expect(logged).toContain('"reason":"ehr_bad_reply"');
  expect(logged).toContain('ECONNRESET');
  const { cred } = world.ehr.received[0]?.body ?? { cred: { token: '?' } };
  const secrets = [
    ANNA,
    mail,
    code,
    '999999x',
    authInfo.token,
    exchangeToken,
    'a-user-sign',
    'canary-token',
    cred.token,
    'pässword',
    'html',
  ];
  for (const secret of secrets) expect(logged).not.toContain(secret);
});

test('an address that calls too often is rejected until its time comes', async () => {
  const world = await startWorld({ config: { rateLimit: true, ratePerAddress: 2 } });
  const ask = () => post(world, LOG_OUT, { origin: ORIGIN });
  expect((await post(world, `[${new Array(MAX_BATCH).fill(LOG_OUT).join()}]`)).status).toBe(200);
  let refused = await ask();
  while (refused.status === 200) refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect((await refused.json()).error).toMatchObject({ reason: 'too_many_requests', limited: 'address' });
  await expect.poll(async () => (await ask()).status, { timeout: 5_000 }).toBe(200);
});
