import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { type Answer, closedUrl, startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

const session = { phone: '7', user: 'u', token: 't', code: '1' };
const rpc = {
  rpc: 'auth.exchange_token',
  cred: 'session',
  extract: { exchangeToken: '/result/exchangeToken' },
};
const replied = (outcome: object) => ({ jsonrpc: '2.0', id: 1, ...outcome });
const failed = (what: string, detail: string) => ({ kind: 'failed', what, detail });

/** The result of an exchange token step for this answer of the server. */
async function outcome(answer: Answer, step: Record<string, unknown> = {}) {
  const server = await startFakeServer(answer);
  const exchangeToken = {
    method: 'POST',
    path: '/exchange',
    json: { token: '${token}' },
    extract: { exchangeToken: '/exchangeToken' },
    ...step,
  };
  const adapter = await startAdapter(server.url, { steps: { exchangeToken } });
  return adapter.does('exchangeToken', session);
}

async function rpcOutcome(answer: Answer) {
  const server = await startFakeServer(answer);
  const adapter = await startAdapter(server.url, { steps: { exchangeToken: rpc } });
  return adapter.does('exchangeToken', session);
}

for (const status of [400, 401, 403, 404, 409, 422, 429, 499]) {
  test(`HTTP ${status} is a refusal`, async () => {
    expect(await outcome({ status })).toEqual({ kind: 'refused', status });
  });
}

for (const status of [500, 502, 503, 504]) {
  test(`HTTP ${status} is a failure of the server, whatever its body says`, async () => {
    expect(await outcome({ status, body: { exchangeToken: 'x' } })).toEqual(
      failed('server-error', `HTTP ${status}`),
    );
    expect(await rpcOutcome({ status, body: replied({ error: { code: -33000, message: 'no' } }) })).toEqual(
      failed('server-error', `HTTP ${status}`),
    );
  });
}

test('a refusal has its code and reason where the file says', async () => {
  const refusal = { code: '/error/code', reason: '/error/reason' };
  expect(
    await outcome({ status: 403, body: { error: { code: 17, reason: 'no_session' } } }, { refusal }),
  ).toEqual({ kind: 'refused', status: 403, code: '17', reason: 'no_session' });
  expect(await outcome({ status: 403, body: '<html>' }, { refusal })).toEqual({
    kind: 'refused',
    status: 403,
  });
});

test('a redirect of which the file does not speak is a failure, and is not followed', async () => {
  const elsewhere = await startFakeServer({ body: { exchangeToken: 'x' } });
  for (const status of [301, 302, 303, 307, 308]) {
    expect(await outcome({ status, headers: { location: elsewhere.url } })).toEqual(
      failed('unexpected-answer', `HTTP ${status}: a redirect, which is not followed`),
    );
  }
  expect(elsewhere.received).toEqual([]);
});

test('a redirect is a success or a refusal where the file says so, by its Location', async () => {
  const step = {
    success: { statuses: [302, 303], location: '^/home' },
    refusal: { location: '[?]error=([a-z_]+)' },
    extract: { exchangeToken: { header: 'Location', pattern: 'token=([^&]+)' } },
  };
  const to = (location: string, status = 303) => outcome({ status, headers: { location } }, step);
  expect(await to('/home?token=x-1&more=1')).toEqual({ kind: 'done', values: { exchangeToken: 'x-1' } });
  expect(await to('/login?error=wrong_code')).toEqual({ kind: 'refused', status: 303, reason: 'wrong_code' });
  expect(await to('/elsewhere?token=x-1')).toEqual(
    failed('unexpected-answer', 'HTTP 303, and its Location does not tell a success'),
  );
  expect(await to('/home?token=x-1', 307)).toEqual(
    failed('unexpected-answer', 'HTTP 307: a redirect, which is not followed'),
  );
  expect(await to('/home')).toEqual(
    failed('unexpected-answer', 'HTTP 303, a success that lacks exchangeToken (in the header Location)'),
  );
});

test('a value is found in the text of an answer that is not JSON', async () => {
  const step = { extract: { exchangeToken: { pattern: 'name="token" value="([^"]+)"' } } };
  expect(await outcome({ body: '<input name="token" value="x-1">' }, step)).toEqual({
    kind: 'done',
    values: { exchangeToken: 'x-1' },
  });
  expect(await outcome({ body: '<input>' }, step)).toEqual(
    failed(
      'unexpected-answer',
      'HTTP 200, a success that lacks exchangeToken (by the pattern name="token" value="([^"]+)")',
    ),
  );
});

test('a success that lacks what it must carry is a failure', async () => {
  const lacking = 'HTTP 200, a success that lacks exchangeToken (at /exchangeToken)';
  for (const body of [{}, [], 'null', { exchangeToken: null }, { exchangeToken: '' }])
    expect(await outcome({ body }), JSON.stringify(body)).toEqual(failed('unexpected-answer', lacking));
  for (const [body, what] of [
    ['', 'it is empty'],
    ['not JSON', 'it is plain text'],
    ['\ufeff{"exchangeToken":"x"}', 'it begins with a byte order mark'],
  ])
    expect(await outcome({ body }), body).toEqual(
      failed('unexpected-answer', `${lacking}: the body is not JSON: ${what}`),
    );
});

test('a server that answers 200 {} to everything is never taken for one that refuses', async () => {
  const server = await startFakeServer({ body: {} });
  const adapter = await startAdapter(server.url, { steps: { exchangeToken: rpc } });
  for (const step of ['confirmOtp', 'exchangeToken'] as const)
    expect(await adapter.does(step, session)).toMatchObject({ kind: 'failed', what: 'unexpected-answer' });
});

test('only the statuses that the file names are a success, where it names them', async () => {
  const success = { statuses: [201] };
  const body = { exchangeToken: 'x' };
  expect(await outcome({ status: 201, body }, { success })).toEqual({
    kind: 'done',
    values: { exchangeToken: 'x' },
  });
  expect(await outcome({ status: 200, body }, { success })).toEqual(
    failed('unexpected-answer', 'HTTP 200, which is not among the statuses of a success'),
  );
});

test('a member may tell success', async () => {
  const success = { pointer: '/ok', equals: true };
  const said = (ok: unknown, extra = {}) => ({ body: { ok, exchangeToken: 'x', ...extra } });
  expect(await outcome(said(true), { success })).toMatchObject({ kind: 'done' });
  expect(await outcome(said(false), { success })).toEqual(
    failed('unexpected-answer', 'HTTP 200, and /ok does not tell a success'),
  );
  expect(await outcome(said('true'), { success })).toMatchObject({ kind: 'failed' });
  const there = { pointer: '/exchangeToken' };
  expect(await outcome({ body: { exchangeToken: 'x' } }, { success: there })).toMatchObject({ kind: 'done' });
  expect(await outcome({ body: {} }, { success: there })).toMatchObject({ kind: 'failed' });
});

test('a server that refuses with HTTP 200 is understood when the file says where success and refusal stand', async () => {
  const rules = { success: { pointer: '/ok', equals: true }, refusal: { code: '/why' } };
  expect(await outcome({ body: { ok: false, why: 'no_session' } }, rules)).toEqual({
    kind: 'refused',
    status: 200,
    code: 'no_session',
  });
  expect(await outcome({ body: { ok: false } }, rules)).toMatchObject({
    kind: 'failed',
    what: 'unexpected-answer',
  });
  expect(await outcome({ body: {} }, rules)).toMatchObject({ kind: 'failed', what: 'unexpected-answer' });
  expect(await outcome({ body: { ok: true, why: 'stray', exchangeToken: 'x' } }, rules)).toMatchObject({
    kind: 'done',
  });
});

test('a JSON-RPC error is a refusal under any status below 500', async () => {
  const body = replied({
    error: { code: -33000, message: 'There is no such session.', data: { reason: 'not_authorized' } },
  });
  for (const status of [200, 400, 401])
    expect(await rpcOutcome({ status, body })).toEqual({
      kind: 'refused',
      status,
      code: '-33000',
      reason: 'not_authorized',
    });
  const unnamed = replied({ error: { code: -1, message: 'No.' } });
  expect(await rpcOutcome({ body: unnamed })).toEqual({
    kind: 'refused',
    status: 200,
    code: '-1',
    reason: 'No.',
  });
});

test('a JSON-RPC internal error is a failure of the server', async () => {
  const body = replied({ error: { code: -32603, message: 'Oops.' } });
  for (const status of [200, 400])
    expect(await rpcOutcome({ status, body })).toEqual(failed('server-error', 'JSON-RPC error -32603'));
});

test('what is no JSON-RPC reply to the call is unexpected under HTTP 200 and a refusal under 4xx', async () => {
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
    expect(await rpcOutcome({ status: 404, body })).toEqual({ kind: 'refused', status: 404 });
  }
});

test('the id may come back as a string', async () => {
  expect(await rpcOutcome({ body: replied({ id: '1', result: { exchangeToken: 'x' } }) })).toMatchObject({
    kind: 'done',
  });
});

test('no answer is told by what went wrong', async () => {
  const unreachable = (detail: string) => failed('unreachable', detail);
  const calling = async (url: string) => (await startAdapter(url)).does('exchangeToken', session);
  expect(await calling(await closedUrl())).toEqual(unreachable('nothing listens there (ECONNREFUSED)'));
  expect(await calling('http://127.0.0.1:9')).toEqual(
    unreachable('web clients refuse to call this port; please choose another one for the server'),
  );
  expect(await outcome((_request, response) => void response.socket?.resetAndDestroy())).toEqual(
    unreachable('the connection was reset (ECONNRESET)'),
  );
  expect(await outcome((_request, response) => void response.socket?.destroy())).toEqual(
    unreachable('the connection was closed before the answer was complete'),
  );
  const cut: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"exchangeToken":');
    setImmediate(() => response.socket?.destroy());
  };
  expect(await outcome(cut)).toMatchObject({ kind: 'failed', what: 'unreachable' });
});

test('an answer that is too large is cut off', async () => {
  expect(await outcome({ body: { exchangeToken: 'x'.repeat(1024 * 1024) } })).toEqual(
    failed('unexpected-answer', 'HTTP 200 with more than 1024 KiB'),
  );
});

test('a server that does not answer in time has failed, be it before its answer or in the middle', async () => {
  const hangs: Answer[] = [() => undefined, (_request, response) => void response.writeHead(200).write('{')];
  for (const hang of hangs) {
    const clock = manualClock();
    let reached: () => void = () => undefined;
    const received = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const server = await startFakeServer((request, response) => {
      (hang as (...parts: unknown[]) => void)(request, response);
      reached();
    });
    const adapter = await startAdapter(
      server.url,
      { timeouts: { patienceMs: 3_000, stepMs: 4_000 } },
      { clock },
    );
    const result = adapter.does('exchangeToken', session);
    await received;
    clock.advance(3_999);
    expect(await Promise.race([result, new Promise((resolve) => setImmediate(resolve, 'pending'))])).toBe(
      'pending',
    );
    clock.advance(1);
    expect(await result).toEqual(failed('timeout', 'no complete answer within 4000 ms'));
  }
});

test('the time for a step is never less than the patience', async () => {
  const clock = manualClock();
  const server = await startFakeServer((_request, response) => {
    clock.advance(59_999);
    response.end('{"exchangeToken":"x"}');
  });
  const adapter = await startAdapter(server.url, { timeouts: { patienceMs: 60_000 } }, { clock });
  expect(await adapter.does('exchangeToken', session)).toMatchObject({ kind: 'done' });
});

test('a step ends when the run is broken off', async () => {
  const stop = new AbortController();
  const server = await startFakeServer(() => stop.abort());
  const adapter = await startAdapter(server.url);
  expect(await adapter.perform('exchangeToken', session, stop.signal)).toEqual(
    failed('timeout', 'the step was broken off'),
  );
});

test('a value of the server that cannot stand in a header is told, and breaks nothing', async () => {
  const server = await startFakeServer();
  const adapter = await startAdapter(server.url);
  const result = await adapter.does('exchangeToken', { ...session, token: 'a\r\nx: b' });
  expect(result).toEqual(failed('unreachable', 'the request could not be sent (TypeError)'));
  expect(server.received).toEqual([]);
});

test('details of a failure quote nothing that the server said', async () => {
  const secret = 'patient-Petrova';
  const results = await Promise.all([
    outcome({ status: 500, body: secret }),
    outcome({ body: { user: secret } }),
    outcome({ body: secret }),
    rpcOutcome({ body: secret }),
    outcome({ status: 302, headers: { location: `/${secret}` } }),
  ]);
  expect(JSON.stringify(results)).not.toContain(secret);
});
