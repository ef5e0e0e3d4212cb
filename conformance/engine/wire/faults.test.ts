import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { textOfBytes } from '#protocol/wire/bytes.ts';
import { call, METHOD, onSocket, post, proxyBed, rawPost } from '../../testing/proxy-bed.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { type Fault, reachesServer, send, spoil, standIn } from './faults.ts';

const BATCH = `[${call()}]`;
const REFUSAL = { code: -33000, message: 'No.', data: { reason: 'not_authorized' } };
const made = { jsonrpc: '2.0', result: { id: 'made-up' }, id: 7 };

test.each<[Fault, number, unknown, string?]>([
  [{ name: 'http-500' }, 500, { error: { reason: 'internal_error', detail: expect.any(String) } }],
  [{ name: 'http-500', status: 503 }, 503, expect.anything()],
  [{ name: 'refuse', error: REFUSAL }, 200, { jsonrpc: '2.0', error: REFUSAL, id: 7 }],
  [{ name: 'no-result' }, 200, { jsonrpc: '2.0', id: 7 }],
  [{ name: 'no-result' }, 200, [{ jsonrpc: '2.0', id: 7 }], BATCH],
  [{ name: 'result-and-error' }, 200, { ...made, error: { code: -32603, message: 'Internal error.' } }],
  [{ name: 'error-text' }, 200, { jsonrpc: '2.0', error: 'not today', id: 7 }],
  [{ name: 'array' }, 200, [made]],
  [{ name: 'array' }, 200, [[made]], BATCH],
])('%o answers in the place of the server with HTTP %d and %o', (fault, status, body, request = call()) => {
  const answer = standIn(fault, request);
  expect(reachesServer(fault)).toBe(false);
  expect(answer).toMatchObject({ status, headers: [['content-type', 'application/json; charset=utf-8']] });
  expect(JSON.parse(String(answer && textOfBytes(answer.body)))).toEqual(body);
});

test.each<[Fault, object]>([
  [{ name: 'not-json' }, { status: 200, headers: [['content-type', 'text/html; charset=utf-8']] }],
  [
    { name: 'redirect', location: '/elsewhere/' },
    { status: 307, headers: [['location', '/elsewhere/']] },
  ],
  [{ name: 'status-204' }, { status: 204, body: new Uint8Array() }],
])('%o answers without JSON in the place of the server', (fault, answer) => {
  expect(standIn(fault, call())).toMatchObject(answer);
});

const DONE = { jsonrpc: '2.0', result: { done: true }, id: 7 };
const answerOf = (body: unknown) => ({ status: 200, headers: [], body: Buffer.from(JSON.stringify(body)) });

test.each<[Fault['name'], unknown, unknown]>([
  ['wrong-id', 7, { id: 1_000_010 }],
  ['wrong-id', 'a', { id: 'a-another' }],
  ['number-id', '7', { id: 7 }],
  ['number-id', 'word', { id: 'word' }],
  ['string-id', 7, { id: '7' }],
  ['result-null', 7, { result: null }],
  ['result-empty', 7, { result: {} }],
  ['more-members', 7, { result: { done: true, storedAt: expect.any(String) }, storedAt: expect.any(String) }],
  ['huge', 7, {}],
  ['duplicate-members', 7, {}],
])('%s changes the reply to the call %j by %o', (name, id, change) => {
  expect(reachesServer({ name })).toBe(true);
  const spoilt = spoil({ name }, answerOf({ ...DONE, id }), call(id));
  expect(JSON.parse(textOfBytes(spoilt.body))).toEqual({ ...DONE, id, ...Object(change) });
});

test.each(['wrong-id', 'number-id', 'string-id', 'result-null'] as const)(
  '%s leaves an answer that is no JSON',
  (name) => {
    const answer = { status: 404, headers: [], body: Buffer.from('oops') };
    expect(spoil({ name }, answer, call())).toEqual(answer);
  },
);

test('the reply in a batch of one is spoilt like a single one', () => {
  const spoilt = (name: Fault['name']) =>
    JSON.parse(textOfBytes(spoil({ name }, answerOf([DONE]), BATCH).body));
  expect(spoilt('result-null')).toEqual([{ ...DONE, result: null }]);
  expect(spoilt('wrong-id')).toEqual([{ ...DONE, id: 1_000_010 }]);
});

test('duplicate members differ, gzip is announced, and a huge reply is padded', () => {
  const spoilt = (name: Fault['name']) => spoil({ name }, answerOf(DONE), call());
  expect(textOfBytes(spoilt('duplicate-members').body)).toMatch(
    /^\{"id":"another","result":"another",.*"id":7/,
  );
  const packed = spoilt('gzip');
  expect(packed.headers).toContainEqual(['content-encoding', 'gzip']);
  expect(JSON.parse(String(gunzipSync(packed.body)))).toEqual(DONE);
  expect(spoilt('huge').body.length).toBeGreaterThan(8 * 1024 * 1024);
});

/** Sends a call that meets the fault. Returns the answer, and what server and journal have of it. */
async function met(fault: Fault) {
  const bed = await proxyBed();
  bed.proxy.arm({ method: METHOD, fault });
  return { ...bed, ...(await onSocket(bed.proxy, rawPost(call()))) };
}

test.each<[Fault, number, object]>([
  [{ name: 'refuse', error: REFUSAL }, 0, { facts: { reply: { result: false, code: -33000 } } }],
  [{ name: 'result-null' }, 1, { response: { status: 200 } }],
  [{ name: 'gzip' }, 1, { facts: { reply: { result: true } } }],
  [{ name: 'huge' }, 1, { response: { body: JSON.stringify(DONE) } }],
])('%o stands in the journal, and the server got %d calls', async (fault, calls, recorded) => {
  const { got, seen, exchanges } = await met(fault);
  expect(got.toString('latin1')).toMatch(/^HTTP\/1\.1 200/);
  expect(seen).toHaveLength(calls);
  expect(exchanges()).toMatchObject([{ fault: fault.name, ...recorded }]);
});

test.each([
  ['down', 'end', 0, { broke: 'reset', request: { body: call() } }],
  ['reset', 'reset', 0, { broke: 'reset', request: { body: call() } }],
  ['reply-lost', 'end', 1, { broke: 'closed-early', facts: { reply: { result: true } } }],
] as const)(
  '%s breaks the connection, as "%s", and the server got %d calls',
  async (name, how, calls, recorded) => {
    const { got, ended, seen, exchanges } = await met({ name });
    expect([got.length, ended, seen.length]).toEqual([0, how, calls]);
    expect(exchanges()).toMatchObject([{ fault: name, ...recorded }]);
    expect(exchanges()[0]?.response === undefined).toBe(calls === 0);
  },
);

test('a hanging call stands in the journal and ends with the fault', async () => {
  const { proxy, seen, recorder, exchanges } = await proxyBed();
  const disarm = proxy.arm({ method: METHOD, fault: { name: 'hang' } });
  const pending = post(proxy).then(
    () => 'answered',
    () => 'broken',
  );
  while (exchanges()[0]?.facts.call === undefined) await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ broke: 'timeout', facts: { call: { method: METHOD } } }]);
  recorder.note('later');
  disarm();
  expect(await pending).toBe('broken');
  while (exchanges()[0]?.broke === 'timeout') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'hang', broke: 'closed-early' }]);
  expect(recorder.entries().map(({ kind }) => kind)).toEqual(['exchange', 'note']);
  expect(seen).toHaveLength(0);
});

test('a late reply comes after its delay, and not before', async () => {
  const { got, exchanges } = await met({ name: 'late', delay: 120 });
  expect(got.toString()).toContain('"id":7');
  const [entry] = exchanges() as [ExchangeEntry];
  expect(entry.endedAt - entry.at).toBeGreaterThan(100);
});

test.each(['late', 'split-reply'] as const)('a caller that left ends the sending of a %s reply', (name) => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  const beforeEnd = vi.fn();
  const answer = { status: 200, headers: [], body: Buffer.from(call()) };
  send(response, answer, { fault: { name }, pause: (_ms, then) => then(), beforeEnd });
  expect(beforeEnd).toHaveBeenCalledOnce();
});

test("a page can read a refusal that is given in the server's place", async () => {
  const { proxy } = await proxyBed();
  const origin = 'http://127.0.0.1:4300';
  proxy.arm({ method: METHOD, fault: { name: 'refuse', error: REFUSAL }, times: 2 });
  const toPage = await fetch(proxy.url, { method: 'POST', headers: { origin }, body: call() });
  expect(toPage.headers.get('access-control-allow-origin')).toBe(origin);
  expect(toPage.headers.get('vary')).toBe('Origin');
  expect((await post(proxy)).headers.has('access-control-allow-origin')).toBe(false);
});

test('a truncated reply announces the whole and brings half', async () => {
  const { got, seen, exchanges } = await met({ name: 'truncate' });
  const [head, body] = got.toString().split('\r\n\r\n') as [string, string];
  expect(body.length).toBe(Math.floor(Number(/content-length: (\d+)/i.exec(head)?.[1]) / 2));
  expect(seen).toHaveLength(1);
  expect(exchanges()).toMatchObject([{ fault: 'truncate', broke: 'closed-early' }]);
});

test('a reply in parts comes in several pieces and is whole in the end', async () => {
  const { proxy } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'split-reply', delay: 20 } });
  const pieces: string[] = [];
  for await (const piece of (await post(proxy)).body as unknown as AsyncIterable<Uint8Array>)
    pieces.push(Buffer.from(piece).toString());
  expect(pieces.length).toBeGreaterThan(1);
  expect(JSON.parse(pieces.join(''))).toEqual(DONE);
});

test('a trickle sends blanks and never comes to the reply', async () => {
  const { proxy, seen, exchanges } = await proxyBed();
  proxy.arm({ method: METHOD, fault: { name: 'trickle' } });
  const abort = new AbortController();
  const response = await fetch(proxy.url, { method: 'POST', body: call(), signal: abort.signal });
  const reader = response.body?.getReader();
  for (let part = 0; part < 2; part++)
    expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(Buffer.from(' '));
  abort.abort();
  await reader?.closed.catch(() => undefined);
  while (exchanges()[0]?.broke !== 'closed-early') await new Promise(setImmediate);
  expect(exchanges()).toMatchObject([{ fault: 'trickle', broke: 'closed-early' }]);
  expect(seen).toHaveLength(0);
});

/** The statuses of these requests, sent one after the other. */
async function statusesOf({ proxy }: Awaited<ReturnType<typeof proxyBed>>, bodies: readonly string[]) {
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await post(proxy, body)).status);
  return statuses;
}

test('a fault counts its times and meets its method alone, however written', async () => {
  const bed = await proxyBed();
  bed.proxy.arm({ method: METHOD, fault: { name: 'http-500' }, times: 3 });
  const mention = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'another', params: { about: METHOD } });
  const escaped = call().replace('embedded', '\\u0065mbedded');
  const bodies = [mention, call(), call(1, 'another'), escaped, `[${call(1, 'another')},${call(2)}]`, call()];
  expect(await statusesOf(bed, bodies)).toEqual([200, 500, 200, 500, 500, 200]);
});

test('a fault for no method meets any call until it alone is removed', async () => {
  const bed = await proxyBed();
  const disarm = bed.proxy.arm({ fault: { name: 'http-500' }, times: Number.POSITIVE_INFINITY });
  bed.proxy.arm({ method: METHOD, fault: { name: 'http-500', status: 503 } });
  expect(await statusesOf(bed, [call(1, 'one'), call(), call(1, 'two')])).toEqual([500, 500, 500]);
  disarm();
  disarm();
  expect(await statusesOf(bed, [call(1, 'another'), call(), call()])).toEqual([200, 503, 200]);
});
