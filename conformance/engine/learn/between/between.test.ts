import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { serve } from '#service/http/testing.ts';
import { startBetween } from './between.ts';
import { toClient } from './headers.ts';

async function recorded(server: string) {
  const lines: string[] = [];
  const between = await startBetween({
    server,
    port: 0,
    clock: systemClock,
    say: (line) => void lines.push(line),
  });
  onTestFinished(() => between.stop());
  return { ...between, lines };
}

/** A server that answers each request with what it got. */
const echo = () =>
  serve(async (request, response) => {
    const got = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: await text(request),
    };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(got));
  });

const form = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

test('an exchange is kept as the server has it, and told without values', async () => {
  const server = await echo();
  const { url, exchanges, lines } = await recorded(server.url);
  const answer = await fetch(`${url}/otp/79991112233/Petrova?phone=79991112233`, form('code=654321'));
  expect(await answer.json()).toMatchObject({
    headers: { host: new URL(server.url).host },
    body: 'code=654321',
  });
  expect(exchanges()).toMatchObject([
    {
      request: {
        method: 'POST',
        url: new URL(`${server.url}/otp/79991112233/Petrova?phone=79991112233`),
        body: { kind: 'form', fields: [['code', '654321']] },
      },
      answer: { status: 201, body: { kind: 'json', json: { body: 'code=654321' } } },
    },
  ]);
  expect(lines).toEqual(['POST /otp/…/…?phone=…  201']);
});

test('a call of JSON-RPC is told with its method', async () => {
  const { url, lines } = await recorded((await echo()).url);
  const call = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {} };
  await fetch(`${url}/1.0-alpha/`, { method: 'POST', body: JSON.stringify(call) });
  expect(lines).toEqual(['POST /1.0-alpha/  patient.get_patient  201']);
});

test('a browser stays at the recording: redirects, cookies and its origin are translated', async () => {
  const seen: (string | undefined)[] = [];
  const server = await serve((request, response) => {
    seen.push(request.headers.origin, request.headers.referer);
    const cookies = [
      'sid=1; Domain=auth.test; Path=/; Secure; HttpOnly',
      'other=2; Secure; SameSite=None; Domain=auth.test',
      '__Host-id=3; Path=/; Secure',
    ];
    response.writeHead(302, { location: `${server.url}/home?a=1`, 'set-cookie': cookies }).end();
  });
  const { url, exchanges } = await recorded(server.url);
  const headers = { origin: url, referer: `${url}/login` };
  const answer = await fetch(`${url}/login`, { method: 'POST', headers, redirect: 'manual' });
  expect(answer.headers.get('location')).toBe(`${url}/home?a=1`);
  expect(answer.headers.getSetCookie()).toEqual([
    'sid=1; Path=/; HttpOnly',
    'other=2; Secure; SameSite=None',
    '__Host-id=3; Path=/; Secure',
  ]);
  expect(seen).toEqual([server.url, `${server.url}/login`]);
  expect(exchanges()[0]?.answer.headers).toContainEqual(['location', `${server.url}/home?a=1`]);
});

test('an address that only begins like that of the server is left alone', () => {
  const origins = { here: 'http://127.0.0.1:4190', server: 'https://auth.test' };
  const led = (location: string) => toClient([['Location', location]], origins)[0]?.[1];
  expect(led('https://auth.test/a?b#c')).toBe('http://127.0.0.1:4190/a?b#c');
  expect(led('https://auth.test.other/a')).toBe('https://auth.test.other/a');
  expect(led('/a')).toBe('/a');
});

test('answers are asked for unpacked, and pictures are not kept', async () => {
  const server = await serve((request, response) => {
    const type = request.url === '/a.png' ? 'image/png' : 'text/html';
    response.writeHead(200, { 'content-type': type }).end(`packed: ${request.headers['accept-encoding']}`);
  });
  const { url, exchanges } = await recorded(server.url);
  for (const path of ['/', '/a.png']) await (await fetch(url + path)).text();
  expect(exchanges().map(({ answer }) => answer.body)).toEqual([
    { kind: 'text', text: 'packed: undefined' },
    { kind: 'unsaved' },
  ]);
});

test('a server that does not answer is told to the client and the person', async () => {
  const gone = await serve(() => undefined);
  await gone.stop();
  const { url, lines, exchanges } = await recorded(gone.url);
  const answer = await fetch(`${url}/otp`);
  const found = `server not started: nothing listens on ${new URL(gone.url).host}`;
  expect([answer.status, await answer.text()]).toEqual([502, `The conformance kit got no answer: ${found}.`]);
  expect(lines).toEqual(['GET /otp  no answer', `No answer: ${found}.`]);
  expect(exchanges()).toMatchObject([{ answer: { status: 0 } }]);
});

test('a request of a foreign page is refused, and not kept', async () => {
  const { url, lines, exchanges } = await recorded((await echo()).url);
  const answer = await fetch(url, { headers: { origin: 'https://foreign.example' } });
  expect(answer.status).toBe(403);
  expect(lines).toEqual(['A request is refused: its Origin is foreign.']);
  expect(exchanges()).toEqual([]);
});

test('a body above the limit is refused, and the recording goes on', async () => {
  const { url, lines } = await recorded((await echo()).url);
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) });
  expect(large.status).toBe(413);
  expect((await fetch(url)).status).toBe(201);
  expect(lines).toEqual(['A request above 4 MiB is not passed on.', 'GET /  201']);
});

test('a client that breaks off its request leaves the recording at work', async () => {
  const { url, exchanges } = await recorded((await echo()).url);
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nabc');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
  expect((await fetch(url)).status).toBe(201);
  expect(exchanges()).toHaveLength(1);
});

test('a request that is under way at the end is neither kept nor told', async () => {
  const arrived = new EventEmitter();
  const server = await serve(() => void arrived.emit('poll'));
  const { url, lines, exchanges, stop } = await recorded(server.url);
  const isThere = once(arrived, 'poll');
  const answer = fetch(`${url}/poll`).catch(() => 'broken off');
  await isThere;
  await stop();
  expect(await answer).toBe('broken off');
  expect([lines, exchanges()]).toEqual([[], []]);
});
