/**
 * The HTTP side of this authorization server: requests of clients, and the test control, by which the kit
 * moves the server's clock and removes a correspondence entry.
 */
import { createServer } from 'node:http';
import { accountOf, isObject, keyOf, Refusal, readAll } from './common.mjs';
import { OPEN_TO_ALL, routes } from './routes.mjs';
import { saveState } from './state.mjs';

const MAX_BODY_BYTES = 16 * 1024;

/** Answers a request of a client: finds its session and carries out the route. */
export async function answerClient(app, request) {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const byGet = app.fault('get-carried-out') && request.method === 'GET';
  const name = `${byGet ? 'POST' : request.method} ${pathname}`;
  if (!Object.hasOwn(routes, name)) throw new Refusal('no_such_path', { status: 404 });
  const sent = await readBody(request, app);
  const body = byGet ? Object.fromEntries(searchParams) : sent;
  const cookie = app.fault('cookie-for-any-origin')
    ? /\bbearer=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
    : undefined;
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? cookie ?? '';
  const [key, session] = shownSession(app, {
    name,
    bearer,
    body,
    isBare: request.headers.authorization === undefined,
  });
  const ended = !session || (session.until <= app.now() && !app.fault('session-never-ends'));
  if (ended && !OPEN_TO_ALL.includes(name)) throw new Refusal('sign_in_first', { status: 401 });
  return routes[name](app, { body, session, key, claimed: request.headers['x-forwarded-for'] ?? '' });
}

/** The session of the bearer that a request shows, after the key under which the session is kept. */
function shownSession(app, { name, bearer, body, isBare }) {
  const { state, fault } = app;
  const key = keyOf(bearer, app);
  const all = [...state.sessions];
  // The fault finds a bearer that the request surrounds by one character on each side.
  const inner = keyOf(bearer.slice(1, -1), app);
  if (fault('session-sought-in-text') && state.sessions.has(inner)) return [inner, state.sessions.get(inner)];
  const named =
    fault('named-user-wins') && all.findLast(([, { phone }]) => accountOf(app, phone).id === body.user);
  if (named) return named;
  const opensLast =
    (fault('unknown-bearer-opens-last') && bearer !== '') ||
    (fault('no-bearer-opens-last') && isBare) ||
    (fault('link-without-session') && bearer === '' && name === 'POST /ehr/link');
  if (opensLast && !state.sessions.has(key) && all.length > 0) return all.at(-1);
  return [key, state.sessions.get(key)];
}

/** The test control: moves the clock forward, and removes a phone from the correspondence table. */
export async function answerControl(app, request) {
  const body = await readBody(request, app);
  const phone = /^DELETE \/correspondence\/(\d+)$/.exec(`${request.method} ${request.url}`)?.[1];
  if (`${request.method} ${request.url}` === 'POST /clock' && body.advance >= 0)
    app.state.clock.set('ahead', app.ahead() + body.advance);
  else if (phone !== undefined && accountOf(app, phone))
    Object.assign(accountOf(app, phone), { member: undefined, sign: undefined });
  else throw new Refusal('no_such_control', { status: 404 });
  return [204];
}

async function readBody(request, { fault }) {
  const type = (request.headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();
  const text = await readAll(request.iterator({ destroyOnReturn: false }), MAX_BODY_BYTES);
  if ((text !== '' || type !== '') && type !== 'application/json' && !fault('text-plain-accepted'))
    throw new Refusal('not_json', { status: 415 });
  if (fault('letters-are-internal') && /[^\0-\x7f]/.test(text)) throw new Error('ASCII was expected.');
  if (fault('bytes-are-internal') && text.includes('\ufffd')) throw new Error('UTF-8 was expected.');
  let body;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch (cause) {
    if (fault('trace-told')) throw new Refusal('internal', { status: 500, cause, detail: cause.stack });
    throw new Refusal('not_json', { status: 400, cause });
  }
  if (!isObject(body)) throw new Refusal('not_an_object', { status: 422 });
  return body;
}

/**
 * Listens on the loopback interface; port 0 is a free one. `answer` computes status, body and more headers.
 */
export async function listen(app, port, answer) {
  const { fault, options } = app;
  const server = createServer(async (request, response) => {
    const [status, body, more] = await answer(app, request).catch((error) => {
      const { status, message, detail } =
        error instanceof Refusal ? error : new Refusal('internal', { status: 500 });
      if (fault('dies-at-wrong-code') && message === 'code_not_accepted') app.die();
      return [
        status,
        { problem: message, detail, options: fault('password-in-refusal') ? options : undefined },
      ];
    });
    // A server that was stopped during this request must not change the state file.
    if (!app.closing.signal.aborted) saveState(app);
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...more };
    if (fault('replies-may-be-cached')) delete headers['cache-control'];
    if (fault('cookie-for-any-origin') && body?.access)
      headers['set-cookie'] = `bearer=${body.access.bearer}; HttpOnly; SameSite=None; Secure`;
    const { token } = body?.ehr ?? {};
    if (fault('session-in-location') && token) headers.location = `/home?session=${token}`;
    if (fault('cookie-for-scripts') && token) headers['set-cookie'] = `session=${token}; Path=/; Secure`;
    if (fault('exchange-token-in-header') && body?.exchangeToken) headers['x-trace'] = body.exchangeToken;
    if (isAllowed(app, request.headers.origin ?? '')) {
      headers['access-control-allow-origin'] = request.headers.origin ?? '*';
      headers['access-control-allow-credentials'] = 'true';
    }
    if (fault('answers-as-html')) headers['content-type'] = 'text/html';
    if (fault('refusals-as-text') && status >= 400) headers['content-type'] = 'text/plain';
    if (body === undefined) delete headers['content-type'];
    await options.beforeAnswer?.();
    const given = { status, headers, body };
    const answered = options.answer?.(given) ?? given;
    const print = options.print ?? JSON.stringify;
    const text = answered.body === undefined ? undefined : print(answered.body);
    const length =
      fault('challenge-longer-for-known') && text ? { 'content-length': Buffer.byteLength(text) } : {};
    response.writeHead(answered.status, { ...answered.headers, ...length }).end(text);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}

/** Whether a fault lets a web page of this origin read answers with credentials; a right server lets none. */
function isAllowed({ fault }, origin) {
  if (fault('any-origin-allowed') || fault('cookie-for-any-origin')) return true;
  if (fault('like-origin-allowed') && /^http:\/\/(127\.0\.0\.1|localhost)/.test(origin)) return true;
  return fault('origin-compared-at-end') && /localhost(:\d+)?$/.test(origin);
}
