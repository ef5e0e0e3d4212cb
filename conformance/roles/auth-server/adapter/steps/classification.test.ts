/** How an answer of the server is understood: as a success, a refusal, or a failure. */

import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { STEP_HEADER } from '../../../../engine/wire/body.ts';
import { type Answer, closedUrl, send, startAdapter, startFakeServer } from '../testing/fake-server.ts';

const session = { phone: '7', user: 'u', token: 't', code: '1' };
const rpc = {
  rpc: 'auth.exchange_token',
  cred: 'session',
  extract: { exchangeToken: '/result/exchangeToken' },
};
const replied = (outcome: object) => ({ jsonrpc: '2.0', id: 1, ...outcome });
const failed = (what: string, detail: string) => ({ kind: 'failed', what, detail });
const unexpected = (detail: string) => failed('unexpected-answer', detail);
const refused = (status: number, said = {}) => ({ kind: 'refused', status, ...said });
const done = (exchangeToken = 'x') => ({ kind: 'done', values: { exchangeToken } });

type Rest = Parameters<typeof startAdapter> extends [string, ...infer More] ? More : never;

/** An adapter of a server that answers so. */
async function adapterOf(answer: Answer, ...more: Rest) {
  return startAdapter((await startFakeServer(answer)).url, ...more);
}

/** The result of an exchange token step for this answer of the server. */
async function outcome(answer: Answer, step: object = {}) {
  const request = { method: 'POST', path: '/exchange', json: { token: '${token}' } };
  const extract = { exchangeToken: '/exchangeToken' };
  const steps = { exchangeToken: 'rpc' in step ? step : { ...request, extract, ...step } };
  return (await adapterOf(answer, { steps })).does('exchangeToken', session);
}

type Row = [step: object, answer: Answer, result: object];

const lacking = (why = '') =>
  unexpected(`HTTP 200, a success that lacks exchangeToken (at /exchangeToken)${why}`);
const body = { exchangeToken: 'x' };
const ok = { success: { pointer: '/ok', equals: true } };
const why = { ...ok, refusal: { code: '/why' } };
const there = { success: { pointer: '/exchangeToken' } };
const created = { success: { statuses: [201] } };
const located = {
  success: { statuses: [302, 303], location: '^/home' },
  refusal: { location: '[?]error=([a-z_]+)' },
  extract: { exchangeToken: { header: 'Location', pattern: 'token=([^&]+)' } },
};
const to = (location: string, status = 303) => ({ status, headers: { location } });
const page = {
  refusal: { pattern: 'class="error">([^<]+)' },
  extract: { exchangeToken: { pattern: 'value="([^"]+)"' } },
};

const answers: Row[] = [
  ...[400, 401, 403, 404, 409, 422, 429, 499].map((status): Row => [{}, { status }, refused(status)]),
  ...[500, 502, 503, 504].map(
    (status): Row => [{}, { status, body }, failed('server-error', `HTTP ${status}`)],
  ),
  [{ refusal: { statuses: [200] } }, { body: '<p>Wrong code' }, refused(200)],
  [
    { refusal: { code: '/error/code', reason: '/error/reason' } },
    { status: 403, body: { error: { code: 17, reason: 'no_session' } } },
    refused(403, { code: '17', reason: 'no_session' }),
  ],
  [{ refusal: { code: '/error/code' } }, { status: 403, body: '<html>' }, refused(403)],
  [located, to('/home?token=x-1&more=1'), done('x-1')],
  [located, to('/login?error=wrong_code'), refused(303, { reason: 'wrong_code' })],
  [located, to('/elsewhere?token=x'), unexpected('HTTP 303, and its Location does not tell a success')],
  [located, to('/home?token=x', 307), unexpected('HTTP 307: a redirect, which is not followed')],
  [located, to('/home'), unexpected('HTTP 303, a success that lacks exchangeToken (in the header Location)')],
  ...[
    ...[{}, [], 'null', { exchangeToken: null }, { exchangeToken: '' }, { exchangeToken: {} }],
    ...[{ exchangeToken: true }, { exchangeToken: ['x'] }],
  ].map((body): Row => [{}, { body }, lacking()]),
  [{}, { body: '' }, lacking(': the body is not JSON: it is empty')],
  [{}, { body: 'not JSON' }, lacking(': the body is not JSON: it is plain text')],
  [{}, { body: { exchangeToken: 7 } }, done('7')],
  [created, { status: 201, body }, done()],
  [created, { body }, unexpected('HTTP 200, which is not among the statuses of a success')],
  [ok, { body: { ok: true, ...body } }, done()],
  [ok, { body: { ok: false, ...body } }, refused(200)],
  [ok, { body: { ok: 'true', ...body } }, refused(200)],
  [ok, { body }, unexpected('HTTP 200, and /ok does not tell a success')],
  [there, { body }, done()],
  [there, { body: {} }, unexpected('HTTP 200, and /exchangeToken does not tell a success')],
  [why, { body: { ok: false, why: 'no_session' } }, refused(200, { code: 'no_session' })],
  ...[{ ok: false }, {}].map(
    (body): Row => [why, { body }, expect.objectContaining({ kind: 'failed', what: 'unexpected-answer' })],
  ),
  [why, { body: { ok: true, why: 'stray', ...body } }, done()],
  [page, { body: '<input name="token" value="x-1">' }, done('x-1')],
  [page, { body: '<p class="error"> Wrong code 12 </p>' }, refused(200, { reason: 'Wrong code 12' })],
  [
    page,
    { body: '<p>' },
    unexpected('HTTP 200, a success that lacks exchangeToken (by the pattern value="([^"]+)")'),
  ],
];

const error = { code: -33000, message: 'There is no such session.', data: { reason: 'not_authorized' } };
const internal = { code: -32603, message: 'Oops.' };
const calls: Row[] = [
  ...[200, 400, 401].map(
    (status): Row => [
      rpc,
      { status, body: replied({ error }) },
      refused(status, { code: '-33000', reason: 'not_authorized' }),
    ],
  ),
  [
    rpc,
    { body: replied({ error: { code: -1, message: 'No.' } }) },
    refused(200, { code: '-1', reason: 'No.' }),
  ],
  [rpc, { status: 500, body: replied({ error }) }, failed('server-error', 'HTTP 500')],
  ...[200, 400].map(
    (status): Row => [
      rpc,
      { status, body: replied({ error: internal }) },
      failed('server-error', 'JSON-RPC error -32603'),
    ],
  ),
  [rpc, { body: replied({ id: '1', result: body }) }, done()],
  ...(
    [
      ['<html>', 'The reply is not JSON: it is HTML.'],
      [{ result: {} }, 'The reply is not a JSON-RPC 2.0 object.'],
      [replied({}), 'The reply must have either a result or an error.'],
      [replied({ id: 99, result: body }), 'The reply answers another call.'],
      [replied({ result: {} }), 'a success that lacks'],
    ] as const
  ).flatMap(([body, detail]): Row[] => [
    [rpc, { body }, unexpected(expect.stringContaining(detail))],
    [rpc, { status: 404, body }, refused(404)],
  ]),
];

test.each([...answers, ...calls])('%j is understood: %j', async (step, answer, result) => {
  expect(await outcome(answer, step)).toEqual(result);
});

test('an answer beyond the limit is not read, packed or not', async () => {
  const body = { exchangeToken: 'x'.repeat(1024 * 1024) };
  expect(await outcome({ body })).toEqual(unexpected('HTTP 200 with more than 1024 KiB'));
  const packed = (text: string): Answer => {
    return (_request, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
  };
  expect(await outcome(packed('{"exchangeToken":"x"}'))).toEqual(done('x'));
  expect(await outcome(packed(JSON.stringify(body)))).toEqual(unexpected('HTTP 200 with more than 1024 KiB'));
});

test('a redirect that the file does not name is not followed', async () => {
  const elsewhere = await startFakeServer({ body });
  for (const status of [301, 302, 303, 307, 308])
    expect(await outcome(to(elsewhere.url, status))).toEqual(
      unexpected(`HTTP ${status}: a redirect, which is not followed`),
    );
  expect(elsewhere.received).toEqual([]);
});

test('no answer is told by what went wrong', async () => {
  const unreachable = (detail: string) => failed('unreachable', detail);
  const calling = async (url: string, token = 't') =>
    (await startAdapter(url)).does('exchangeToken', { ...session, token });
  const closed = await closedUrl();
  expect(await calling(closed)).toEqual(unreachable('nothing listens there (ECONNREFUSED)'));
  expect(await calling(closed, 'a\r\nx: b')).toEqual(
    unreachable('the request could not be sent (TypeError)'),
  );
  for (const [how, what] of [
    ['resetAndDestroy', 'the connection was reset (ECONNRESET)'],
    ['destroy', 'the connection was closed before the answer was complete'],
  ] as const)
    expect(await outcome((_request, { socket }) => void socket?.[how]())).toEqual(unreachable(what));
  const cut: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"exchangeToken":');
    setImmediate(() => response.socket?.destroy());
  };
  expect(await outcome(cut)).toMatchObject({ kind: 'failed', what: 'unreachable' });
});

test.each([false, true])('a server that is late has failed; amid its answer: %s', async (begins) => {
  const clock = manualClock();
  const received = vi.fn();
  const hang: Answer = (_request, response) => {
    if (begins) response.writeHead(200).write('{');
    received();
  };
  const adapter = await adapterOf(hang, { timeouts: { patienceMs: 3_000, stepMs: 4_000 } }, { clock });
  const result = adapter.does('exchangeToken', session);
  await vi.waitFor(() => expect(received).toHaveBeenCalled());
  clock.advance(3_999);
  const turn = new Promise((resolve) => setImmediate(resolve, 'pending'));
  expect(await Promise.race([result, turn])).toBe('pending');
  clock.advance(1);
  expect(await result).toEqual(failed('timeout', 'no complete answer within 4000 ms'));
});

test('the time for a step is never less than patienceMs', async () => {
  const clock = manualClock();
  const late: Answer = (_request, response) => {
    clock.advance(59_999);
    response.end('{"exchangeToken":"x"}');
  };
  const adapter = await adapterOf(late, { timeouts: { patienceMs: 60_000 } }, { clock });
  expect(await adapter.does('exchangeToken', session)).toMatchObject({ kind: 'done' });
});

test('a step ends when the run is broken off', async () => {
  const stop = new AbortController();
  const adapter = await adapterOf(() => stop.abort());
  expect(await adapter.perform('exchangeToken', session, stop.signal)).toEqual(
    failed('timeout', 'the step was broken off'),
  );
});

test('details of a failure quote nothing that the server said', async () => {
  const body = 'patient-Petrova';
  const answers = [{ status: 500, body }, { body: { user: body } }, { body }, to(`/${body}`, 302)];
  const results = [outcome({ body }, rpc), ...answers.map((answer) => outcome(answer))];
  expect(JSON.stringify(await Promise.all(results))).not.toContain(body);
});

const confirmOtp = {
  rpc: 'auth.confirm_otp',
  params: { code: '${code}' },
  extract: { user: '/result/user', token: '/result/token' },
};

type BatchCall = { id: number; method: string; params: { code: string } };

/** Sends two sign-ins to a server that answers a body with `reply`. */
async function batchOf(reply: (calls: BatchCall[]) => unknown, status = 200) {
  const { url, received } = await startFakeServer(({ body }, response) =>
    send(response, { status, body: reply(JSON.parse(body) as BatchCall[]) }),
  );
  const adapter = await startAdapter(url, { steps: { confirmOtp } });
  const inputs = [{ code: '111111', stepSeq: '3' }, { code: '222222' }];
  const answer = await adapter.batchOf?.('confirmOtp')?.(inputs, new AbortController().signal);
  return { answer, received };
}

const refusedAs = (id: number) => ({ jsonrpc: '2.0', id, error: { code: -35001, message: 'Wrong code.' } });

test('the calls go as one body, and answers are matched by id', async () => {
  const { answer, received } = await batchOf((calls) =>
    calls
      .map(({ id, params }) =>
        params.code === '222222' ? { jsonrpc: '2.0', id, result: { user: 'u', token: 't' } } : refusedAs(id),
      )
      .reverse(),
  );
  expect(received.map(({ headers }) => headers[STEP_HEADER])).toEqual(['3']);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject([
    { id: 1, method: 'auth.confirm_otp', params: { code: '111111' } },
    { id: 2, params: { code: '222222' } },
  ]);
  expect(answer).toMatchObject({
    taken: true,
    results: [
      { kind: 'refused', code: '-35001' },
      { kind: 'done', values: { user: 'u', token: 't' } },
    ],
  });
});

test.each([
  [
    'refuses it as a whole',
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches.' } },
    200,
  ],
  ['answers with a page', 'no', 400],
  ['leaves out a call', [refusedAs(1)], 200],
  ['answers as if it were one call', { jsonrpc: '2.0', id: 1, result: { user: 'u', token: 't' } }, 200],
])('a server that %s has not taken the batch', async (_what, reply, status) => {
  const { answer } = await batchOf(() => reply, status);
  expect(answer).toMatchObject({ taken: false, results: [expect.anything(), expect.anything()] });
  expect(answer?.results.filter(({ kind }) => kind === 'done')).toEqual([]);
});
