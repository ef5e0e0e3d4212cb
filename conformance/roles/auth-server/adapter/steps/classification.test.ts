import { expect, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { type Answer, closedUrl, startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

const session = { phone: '7', user: 'u', token: 't', code: '1' };
const extract = { exchangeToken: '/result/exchangeToken' };
const rpc = { rpc: 'auth.exchange_token', cred: 'session', extract };
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
async function outcome(answer: Answer, step: Record<string, unknown> = {}) {
  const request = { method: 'POST', path: '/exchange', json: { token: '${token}' } };
  const extract = { exchangeToken: '/exchangeToken' };
  const steps = { exchangeToken: { ...request, extract, ...step } };
  return (await adapterOf(answer, { steps })).does('exchangeToken', session);
}

const rpcOutcome = async (answer: Answer) =>
  (await adapterOf(answer, { steps: { exchangeToken: rpc } })).does('exchangeToken', session);

test.each([400, 401, 403, 404, 409, 422, 429, 499])('HTTP %i is a refusal', async (status) => {
  expect(await outcome({ status })).toEqual(refused(status));
});

test.each([500, 502, 503, 504])('HTTP %i is a failure of the server, whatever its body', async (status) => {
  const failure = failed('server-error', `HTTP ${status}`);
  expect(await outcome({ status, body: { exchangeToken: 'x' } })).toEqual(failure);
  const error = { code: -33000, message: 'no' };
  expect(await rpcOutcome({ status, body: replied({ error }) })).toEqual(failure);
});

test('a refusal has its code and reason where the file says', async () => {
  const refusal = { code: '/error/code', reason: '/error/reason' };
  const said = (body: unknown) => outcome({ status: 403, body }, { refusal });
  const reason = 'no_session';
  expect(await said({ error: { code: 17, reason } })).toEqual(refused(403, { code: '17', reason }));
  expect(await said('<html>')).toEqual(refused(403));
});

test('a status that the file lists is a refusal', async () => {
  expect(await outcome({ body: '<p>Wrong code' }, { refusal: { statuses: [200] } })).toEqual(refused(200));
});

test('a redirect that the file does not name is a failure, not followed', async () => {
  const elsewhere = await startFakeServer({ body: { exchangeToken: 'x' } });
  for (const status of [301, 302, 303, 307, 308]) {
    expect(await outcome({ status, headers: { location: elsewhere.url } })).toEqual(
      unexpected(`HTTP ${status}: a redirect, which is not followed`),
    );
  }
  expect(elsewhere.received).toEqual([]);
});

test('a redirect is a success or refusal by its Location, as the file says', async () => {
  const step = {
    success: { statuses: [302, 303], location: '^/home' },
    refusal: { location: '[?]error=([a-z_]+)' },
    extract: { exchangeToken: { header: 'Location', pattern: 'token=([^&]+)' } },
  };
  for (const [location, status, expected] of [
    ['/home?token=x-1&more=1', 303, done('x-1')],
    ['/login?error=wrong_code', 303, refused(303, { reason: 'wrong_code' })],
    ['/elsewhere?token=x-1', 303, unexpected('HTTP 303, and its Location does not tell a success')],
    ['/home?token=x-1', 307, unexpected('HTTP 307: a redirect, which is not followed')],
    ['/home', 303, unexpected('HTTP 303, a success that lacks exchangeToken (in the header Location)')],
  ] as const)
    expect(await outcome({ status, headers: { location } }, step)).toEqual(expected);
});

test('a success that lacks what it must carry is a failure', async () => {
  const lacking = (why = '') =>
    unexpected(`HTTP 200, a success that lacks exchangeToken (at /exchangeToken)${why}`);
  for (const body of [{}, [], 'null', { exchangeToken: null }, { exchangeToken: '' }])
    expect(await outcome({ body }), JSON.stringify(body)).toEqual(lacking());
  for (const [body, what] of [
    ['', 'it is empty'],
    ['not JSON', 'it is plain text'],
    ['\ufeff{"exchangeToken":"x"}', 'it begins with a byte order mark'],
  ])
    expect(await outcome({ body }), body).toEqual(lacking(`: the body is not JSON: ${what}`));
});

test('a server that answers 200 {} to everything never seems to refuse', async () => {
  const adapter = await adapterOf({ body: {} }, { steps: { exchangeToken: rpc } });
  for (const step of ['confirmOtp', 'exchangeToken'] as const)
    expect(await adapter.does(step, session)).toMatchObject({ kind: 'failed', what: 'unexpected-answer' });
});

test('only the statuses that the file names are a success, where it names them', async () => {
  const success = { statuses: [201] };
  const body = { exchangeToken: 'x' };
  expect(await outcome({ status: 201, body }, { success })).toEqual(done());
  expect(await outcome({ status: 200, body }, { success })).toEqual(
    unexpected('HTTP 200, which is not among the statuses of a success'),
  );
});

test('a member may tell success', async () => {
  const success = { pointer: '/ok', equals: true };
  const said = (ok: unknown, extra = {}) => ({ body: { ok, exchangeToken: 'x', ...extra } });
  expect(await outcome(said(true), { success })).toEqual(done());
  // Any other value is a refusal, and its absence is none.
  for (const ok of [false, 'true']) expect(await outcome(said(ok), { success })).toEqual(refused(200));
  const untold = unexpected('HTTP 200, and /ok does not tell a success');
  expect(await outcome({ body: { exchangeToken: 'x' } }, { success })).toEqual(untold);
  const there = { pointer: '/exchangeToken' };
  expect(await outcome({ body: { exchangeToken: 'x' } }, { success: there })).toEqual(done());
  expect(await outcome({ body: {} }, { success: there })).toMatchObject({ kind: 'failed' });
});

test('a refusal under HTTP 200 is understood by the places of success and refusal', async () => {
  const rules = { success: { pointer: '/ok', equals: true }, refusal: { code: '/why' } };
  const said = (body: object) => outcome({ body }, rules);
  expect(await said({ ok: false, why: 'no_session' })).toEqual(refused(200, { code: 'no_session' }));
  for (const body of [{ ok: false }, {}])
    expect(await said(body)).toMatchObject({ kind: 'failed', what: 'unexpected-answer' });
  expect(await said({ ok: true, why: 'stray', exchangeToken: 'x' })).toEqual(done());
});

test('a JSON-RPC error is a refusal under any status below 500', async () => {
  const error = { code: -33000, message: 'There is no such session.', data: { reason: 'not_authorized' } };
  const said = { code: '-33000', reason: 'not_authorized' };
  for (const status of [200, 400, 401])
    expect(await rpcOutcome({ status, body: replied({ error }) })).toEqual(refused(status, said));
  const unnamed = replied({ error: { code: -1, message: 'No.' } });
  expect(await rpcOutcome({ body: unnamed })).toEqual(refused(200, { code: '-1', reason: 'No.' }));
});

test('a JSON-RPC internal error is a failure of the server', async () => {
  const body = replied({ error: { code: -32603, message: 'Oops.' } });
  for (const status of [200, 400])
    expect(await rpcOutcome({ status, body })).toEqual(failed('server-error', 'JSON-RPC error -32603'));
});

test('no JSON-RPC reply is unexpected under HTTP 200, a refusal under 4xx', async () => {
  const strange: [unknown, string][] = [
    ['<html>', 'The reply is not JSON: it is HTML.'],
    ['\ufeff{}', 'The reply is not JSON: it begins with a byte order mark.'],
    [{ result: {} }, 'The reply is not a JSON-RPC 2.0 object.'],
    [replied({}), 'The reply must have either a result or an error.'],
    [replied({ id: 99, result: { exchangeToken: 'x' } }), 'The reply answers another call.'],
    [replied({ result: {} }), 'a success that lacks'],
  ];
  for (const [body, detail] of strange) {
    const result = await rpcOutcome({ body });
    expect(result, JSON.stringify(body)).toMatchObject({ kind: 'failed', what: 'unexpected-answer' });
    expect(result).toHaveProperty('detail', expect.stringContaining(detail));
    expect(await rpcOutcome({ status: 404, body })).toEqual(refused(404));
  }
});

test('the id may come back as a string', async () => {
  const body = replied({ id: '1', result: { exchangeToken: 'x' } });
  expect(await rpcOutcome({ body })).toEqual(done());
});

test('no answer is told by what went wrong', async () => {
  const unreachable = (detail: string) => failed('unreachable', detail);
  const calling = async (url: string) => (await startAdapter(url)).does('exchangeToken', session);
  expect(await calling(await closedUrl())).toEqual(unreachable('nothing listens there (ECONNREFUSED)'));
  expect(await calling('http://127.0.0.1:9')).toEqual(
    unreachable('web clients refuse to call this port; please choose another one for the server'),
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

test('an answer that is too large is cut off', async () => {
  const body = { exchangeToken: 'x'.repeat(1024 * 1024) };
  expect(await outcome({ body })).toEqual(unexpected('HTTP 200 with more than 1024 KiB'));
});

test('a server that is late has failed, before or amid its answer', async () => {
  for (const begins of [false, true]) {
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
  }
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

test('a value that cannot stand in a header is told, and breaks nothing', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url);
  const result = await adapter.does('exchangeToken', { ...session, token: 'a\r\nx: b' });
  expect(result).toEqual(failed('unreachable', 'the request could not be sent (TypeError)'));
  expect(server.received).toEqual([]);
});

test('details of a failure quote nothing that the server said', async () => {
  const body = 'patient-Petrova';
  const redirect = { status: 302, headers: { location: `/${body}` } };
  const answers = [{ status: 500, body }, { body: { user: body } }, { body }, redirect];
  const results = [rpcOutcome({ body }), ...answers.map((answer) => outcome(answer))];
  expect(JSON.stringify(await Promise.all(results))).not.toContain(body);
});
