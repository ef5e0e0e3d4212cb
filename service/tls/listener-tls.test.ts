import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { proves } from '#testing/proves.ts';
import { openConnection, requestText } from '../http/testing.ts';
import {
  ask,
  clientsOf,
  createAuthority,
  failureOf,
  OLD_TLS,
  openTls,
  serveTls,
  show,
  trust,
} from './testing-tls.ts';

const GET = requestText('GET /');

test('a call is served over TLS 1.3, or 1.2 for older callers', async () => {
  const authority = await createAuthority();
  const { url, port } = await serveTls(await authority.issue('server'));
  expect(url).toBe(`https://127.0.0.1:${port}`);
  expect(await ask(url, trust(authority))).toEqual({ status: 200, text: 'done', protocol: 'TLSv1.3' });
  expect(await ask(url, { ...trust(authority), maxVersion: 'TLSv1.2' })).toMatchObject({
    protocol: 'TLSv1.2',
  });
});

test('TLS 1.1 is refused, whatever the caller and the platform would put up with', async () => {
  const platform = tls.DEFAULT_MIN_VERSION;
  onTestFinished(() => void Object.assign(tls, { DEFAULT_MIN_VERSION: platform }));
  Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1' });
  const authority = await createAuthority();
  const { url, hears } = await serveTls(await authority.issue('server'));
  await expect(ask(url, { ...trust(authority), ...OLD_TLS })).rejects.toThrow('alert protocol version');
  expect(await hears((line) => 'errorCode' in line)).toMatchObject({
    errorCode: 'ERR_SSL_UNSUPPORTED_PROTOCOL',
  });
});

proves(['T-password-7', 'T-network-7'], 'a client needs a certificate of the right authority', async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  const calls: string[] = [];
  const { url, hears, logged } = await serveTls(
    await authority.issue('server'),
    { clientCa: clientsOf(authority) },
    ({ url: path = '' }, response) => {
      calls.push(path);
      response.end('done');
    },
  );
  const yesterday = { to: Date.UTC(2021, 0, 1) };
  const tomorrow = { from: Date.UTC(2090, 0, 1) };
  const refused = [
    ['no certificate', {}, 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE'],
    ['one of another authority', show(await other.issue('client')), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['an expired one', show(await authority.issue('client', yesterday)), 'CERT_HAS_EXPIRED'],
    ['one that is not valid yet', show(await authority.issue('client', tomorrow)), 'CERT_NOT_YET_VALID'],
  ] as const;
  for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
    for (const [what, shown, errorCode] of refused) {
      logged.length = 0;
      expect(await failureOf(`${url}/refused`, { ...trust(authority), ...shown, maxVersion }), what).not.toBe(
        'answered',
      );
      expect(await hears((line) => 'errorCode' in line), what).toMatchObject({ level: 20, errorCode });
    }
    const right = { ...trust(authority), ...show(await authority.issue('client')), maxVersion };
    expect(await ask(`${url}/let-in`, right)).toMatchObject({ status: 200 });
  }
  expect(calls).toEqual(['/let-in', '/let-in']);
});

proves(['T-password-7', 'T-network-7'], 'only named clients get in, by common or DNS name', async () => {
  const authority = await createAuthority();
  const clientNames = ['Authorization Server', 'auth.example.org'];
  const { url, hears } = await serveTls(await authority.issue('server'), {
    clientCa: clientsOf(authority),
    clientNames,
  });
  const statusFor = async (name: string, ...dnsNames: string[]) =>
    (await ask(url, { ...trust(authority), ...show(await authority.issue(name, { dnsNames })) })).status;
  expect(await statusFor('Authorization Server', 'elsewhere.example.org')).toBe(200);
  expect(await statusFor('any', 'other.example.org', 'auth.example.org')).toBe(200);
  expect(await statusFor('Authorization Server 2', 'x.auth.example.org')).toBe(403);
  expect(await statusFor('any', '*.example.org')).toBe(403);
  expect(await hears(({ level }) => level === 40)).toMatchObject({
    msg: expect.stringContaining('none of the names'),
  });
});

test('a client that is not named learns why, and its connection ends', async () => {
  const authority = await createAuthority();
  const options = { clientCa: clientsOf(authority), clientNames: ['auth'] };
  const { port } = await serveTls(await authority.issue('server'), options);
  const connection = await openTls(port, { ...trust(authority), ...show(await authority.issue('client')) });
  connection.socket.write(GET + GET);
  const reply = await connection.closed;
  expect(reply).toMatch(/^HTTP\/1\.1 403 .*Connection: close.*"client_not_named"/s);
  expect(reply.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('plain HTTP on a TLS port is closed, and the server lives', async () => {
  const authority = await createAuthority();
  const { url, port, hears } = await serveTls(await authority.issue('server'));
  for (const bytes of [GET, 'SSH-2.0-x\r\n', '\u0016\u0003\u0001\u0000\u0005nonsense']) {
    const connection = await openConnection(port);
    connection.socket.write(bytes, 'latin1');
    expect(await connection.closed).not.toContain('HTTP/');
  }
  expect(await hears((line) => 'errorCode' in line)).toMatchObject({ errorCode: 'ERR_SSL_HTTP_REQUEST' });
  expect(await ask(url, trust(authority))).toMatchObject({ status: 200 });
});

test('failed handshakes are counted by their codes, and told once a minute', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const { port, logged } = await serveTls(await authority.issue('server'), { clock });
  const fail = async (times: number) => {
    const before = logged.length;
    for (let time = 0; time < times; time++) {
      const connection = await openConnection(port);
      connection.socket.write(GET);
      await connection.closed;
    }
    while (logged.length < before + times) await new Promise(setImmediate);
  };
  const told = () => logged.filter(({ level }) => level === 30);
  await fail(3);
  clock.advance(59_999);
  expect(told()).toEqual([]);
  clock.advance(1);
  expect(told()).toMatchObject([{ counts: { ERR_SSL_HTTP_REQUEST: 3 } }]);
  clock.advance(60_000);
  expect(told()).toHaveLength(1);
  await fail(1);
  clock.advance(60_000);
  expect(told()[1]).toMatchObject({ counts: { ERR_SSL_HTTP_REQUEST: 1 } });
});

test('a handshake that does not come to its end is cut', async () => {
  const authority = await createAuthority();
  const { port, hears } = await serveTls(await authority.issue('server'), { handshakeTimeoutMs: 30 });
  const connection = await openConnection(port);
  expect(await connection.closed).toBe('');
  expect(await hears((line) => 'errorCode' in line)).toMatchObject({
    errorCode: 'ERR_TLS_HANDSHAKE_TIMEOUT',
  });
});

test('a handshake that failed is forgotten', async () => {
  const authority = await createAuthority();
  const { port, stop, hears } = await serveTls(await authority.issue('server'));
  const connection = await openConnection(port);
  connection.socket.write(GET);
  await connection.closed;
  await hears((line) => 'errorCode' in line);
  await new Promise(setImmediate);
  const closing = vi.spyOn(Socket.prototype, 'destroy');
  await stop();
  expect(closing).not.toHaveBeenCalled();
});

test('a stop breaks off handshakes, and closes connections at rest, used or not', async () => {
  const authority = await createAuthority();
  // The clock stands still, so nothing is closed because the grace period is over.
  const { url, port, stop } = await serveTls(await authority.issue('server'), { clock: manualClock() });
  const [silent, halfway] = [await openConnection(port), await openConnection(port)];
  halfway.socket.write(Buffer.from('16030100f80100', 'hex'));
  const [used, unused] = [await openTls(port, trust(authority)), await openTls(port, trust(authority))];
  used.socket.write(GET);
  await used.until(/done/);
  // After this exchange, everything written before it has been read.
  await ask(url, trust(authority));
  await stop();
  expect([await silent.closed, await halfway.closed, await unused.closed]).toEqual(['', '', '']);
  expect(await used.closed).toMatch(/Connection: keep-alive.*done/s);
});

test('a stop lets calls and half-sent heads over TLS finish, and cuts the rest', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const held: ServerResponse[] = [];
  const handler = ({ url: path }: IncomingMessage, response: ServerResponse) =>
    path === '/held' ? void held.push(response) : void response.end('done');
  const { url, port, stop } = await serveTls(await authority.issue('server'), { clock }, handler);
  const open = () => openTls(port, trust(authority));
  const [call, half, unfinished] = [await open(), await open(), await open()];
  call.socket.write(requestText('GET /held'));
  half.socket.write('GET / HTTP/1.1\r\n');
  while (held.length === 0) await new Promise(setImmediate);
  unfinished.socket.write(requestText('GET /held'));
  while (held.length === 1) await new Promise(setImmediate);
  await ask(url, trust(authority));
  const stopped = stop();
  half.socket.write('Host: localhost\r\n\r\n');
  held[0]?.end('finished');
  expect(await call.closed).toMatch(/Connection: close.*finished/s);
  expect(await half.closed).toMatch(/Connection: close.*done/s);
  clock.advance(4_000);
  await stopped;
  expect(await unfinished.closed).toBe('');
});
