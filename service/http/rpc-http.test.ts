import { expect, test } from 'vitest';
import { clientCall, TROUBLE } from '#protocol/testing.ts';
import { proves } from '#testing/proves.ts';
import { asksFor, atEndOfTurn } from './rpc-http.ts';
import { chunk, JSON_TYPE, openConnection, requestText, serveRpc } from './testing.ts';

proves(['D2-rpc-is-200'], 'every outcome of a call that has a reply is HTTP 200', async () => {
  const { post, exchanges, violations } = await serveRpc();
  for (const [body, reason] of [
    [clientCall(), undefined],
    ['{', 'parse_error'],
    [[], 'invalid_request'],
    [clientCall({ method: 'test.nothing' }), 'method_not_found'],
    [clientCall({ params: {} }), 'invalid_params'],
    [clientCall({ cred: null }), 'not_authorized'],
    [clientCall({ params: { n: TROUBLE.refused } }), 'session_expired'],
    [clientCall({ params: { n: TROUBLE.broken } }), 'internal_error'],
  ] as const) {
    const reply = await post(body);
    expect([body, reply.status, (await reply.json()).error?.data.reason]).toEqual([body, 200, reason]);
  }
  expect(violations()).toEqual(['The server answered internal_error.']);
  expect(exchanges).toHaveLength(8);
});

test('a reply says that it is JSON in UTF-8, its length, and no-store', async () => {
  const { post } = await serveRpc();
  const reply = await post(clientCall({ id: 'ж' }));
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  const body = await reply.arrayBuffer();
  expect(reply.headers.get('content-length')).toBe(`${body.byteLength}`);
  expect(JSON.parse(Buffer.from(body).toString('utf8'))).toMatchObject({ id: 'ж', result: { n: 1 } });
});

proves(['D3-notification'], 'a notification, and a batch of them, is run and answered with 204', async () => {
  const { post, trace, violations } = await serveRpc();
  for (const body of [
    clientCall({ id: undefined }),
    [clientCall({ id: undefined })],
    clientCall({ id: undefined, params: {} }),
  ]) {
    const reply = await post(body);
    expect([reply.status, await reply.text(), reply.headers.get('content-type')]).toEqual([204, '', null]);
  }
  expect(trace.filter((step) => step === 'end 1')).toHaveLength(2);
  expect(violations()).toEqual([]);
});

proves(['D2-not-post-405', 'D2-faults-have-json'], 'any verb but POST is 405, Allow, JSON', async () => {
  const { url } = await serveRpc();
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const reply = await fetch(url, {
      method,
      ...(method === 'GET' ? {} : { body: JSON.stringify(clientCall()) }),
    });
    expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS']);
    expect((await reply.json()).error).toMatchObject({ status: 405, reason: 'method_not_allowed' });
  }
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('allow'), await head.text()]).toEqual([405, 'POST, OPTIONS', '']);
});

test('verbs that the path serves by other means are named among the allowed ones', async () => {
  const { url } = await serveRpc({ alsoServes: ['GET', 'HEAD'] });
  for (const method of ['PUT', 'OPTIONS'])
    expect((await fetch(url, { method })).headers.get('allow')).toBe('POST, OPTIONS, GET, HEAD');
});

proves(['D2-not-json-415', 'D2-faults-have-json'], 'a body that is not JSON in UTF-8 is 415', async () => {
  const { port, trace } = await serveRpc();
  for (const headers of [
    {},
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/json-rpc' },
    { 'Content-Type': 'text/json' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { 'Content-Type': 'application/json; charset="iso-8859-1"' },
    { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    { ...JSON_TYPE, 'Content-Encoding': 'br' },
  ]) {
    const { socket, until } = await openConnection(port);
    socket.write(requestText('POST /', headers, JSON.stringify(clientCall())));
    expect(await until(/\}\}$/), JSON.stringify(headers)).toMatch(
      /^HTTP\/1\.1 415 .*"reason":"unsupported_media_type"/s,
    );
  }
  expect(trace).toEqual([]);
});

test('every spelling of JSON in UTF-8 is taken', async () => {
  const { post } = await serveRpc();
  for (const headers of [
    { 'Content-Type': 'application/json' },
    { 'Content-Type': 'Application/JSON' },
    { 'Content-Type': ' application/json ; charset=UTF-8' },
    { 'Content-Type': 'application/json;charset="utf-8"; profile=x' },
    { 'Content-Type': 'application/json; charset=utf8' },
    { ...JSON_TYPE, 'Content-Encoding': 'Identity' },
  ])
    expect([headers, (await post(clientCall(), headers)).status]).toEqual([headers, 200]);
});

proves(['DE-parse-error'], 'bytes that are not UTF-8 are parse_error, and spoil no later call', async () => {
  const { url, exchanges, violations } = await serveRpc();
  const text = JSON.stringify(clientCall());
  const send = async (body: Buffer) =>
    (await fetch(url, { method: 'POST', headers: JSON_TYPE, body: Uint8Array.from(body) })).json();
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    const data = { reason: 'parse_error', errors: ['The body is not UTF-8.'] };
    expect(await send(Buffer.from([0x22, ...bytes, 0x22]))).toMatchObject({
      id: null,
      error: { code: -32700, data },
    });
    expect(await send(Buffer.from(text))).toMatchObject({ id: '1', result: { n: 1 } });
  }
  // An exchange without a text is reported without one.
  expect(exchanges.map(({ status, request }) => [status, request]).slice(0, 2)).toEqual([
    [200, ''],
    [200, text],
  ]);
  expect(violations()).toEqual([]);
});

test('a byte order mark before a call is passed over, and no other', async () => {
  const { post } = await serveRpc();
  const text = JSON.stringify(clientCall());
  for (let turn = 0; turn < 2; turn++)
    expect((await (await post(`\ufeff${text}`)).json()).result).toEqual({ n: 1 });
  expect((await (await post(`\ufeff\ufeff${text}`)).json()).error.data.reason).toBe('parse_error');
});

test('a character that is split between two packets is one character', async () => {
  const { port } = await serveRpc();
  const body = Buffer.from(JSON.stringify(clientCall({ id: 'жж' })));
  const split = body.indexOf('ж') + 1;
  const { socket, until } = await openConnection(port);
  socket.write(requestText('POST /', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }));
  for (const part of [body.subarray(0, split), body.subarray(split), Buffer.of()])
    socket.write(chunk(part.toString('latin1')), 'latin1');
  expect(Buffer.from(await until(/"id":"[^"]+"\}$/), 'latin1').toString()).toContain('"id":"жж"');
});

proves(['D1-path', 'D2-wrong-path-404'], 'a path is asked for with a last slash or not, any query', () => {
  for (const url of ['/1.0-alpha/', '/1.0-alpha', '/1.0-alpha/?a=b', '/1.0-alpha?'])
    expect(asksFor(url, '/1.0-alpha/')).toBe(true);
  const others = '/ /1.0-alpha// /1.0-alpha/x /1.0 //1.0-alpha/ /1.0-ALPHA/ /x?/1.0-alpha/ /1.0-alpha/#';
  for (const url of [undefined, '', ...others.split(' ')])
    expect([url, asksFor(url, '/1.0-alpha/')]).toEqual([url, false]);
  expect(['/', '/?x', '/x'].map((url) => asksFor(url, '/'))).toEqual([true, true, false]);
  expect(asksFor('/a/', '/a')).toBe(false);
});

test('work of one turn is done at its end, in order', async () => {
  const done: string[] = [];
  atEndOfTurn(() => {
    done.push('first');
    atEndOfTurn(() => done.push('of the next turn'));
    void Promise.resolve().then(() => done.push('in between'));
  });
  atEndOfTurn(() => done.push('second'));
  expect(done).toEqual([]);
  await new Promise(setImmediate);
  expect(done).toEqual(['first', 'second', 'in between']);
  await new Promise(setImmediate);
  expect(done.at(-1)).toBe('of the next turn');
});
