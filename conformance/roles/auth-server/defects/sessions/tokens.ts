/** Defects in how tokens are drawn, to whom they are bound, and which are given again. */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/hashes.ts';
import { saidIn } from '../change-calls.ts';
import {
  ANY,
  actsAs,
  after,
  aMoment,
  around,
  before,
  CONFIRM,
  cached,
  codesSent,
  defect,
  done,
  EXCHANGE,
  freshCode,
  inSharedVariable,
  isDone,
  LOGOUT,
  later,
  membersOf,
  openedFor,
  REPORT,
  REQUEST,
  refused,
  tells,
  tellsInRefusal,
  tokensOf,
  withCred,
  withParams,
  wraps,
} from '../defect.ts';

const MINUTE_MS = 60_000;

const shortened = (bytes: number) => tokensOf((_mock, _count, random) => random(bytes));

const hashOf = (text: string) => createHash('sha256').update(text).digest();

export const tokenDefects = [
  defect('exchange-token-ehr-first', 'token-before-ehr', {
    title: 'The exchange token reaches the client before the EHR server',
    ...wraps('ehr', 'saveExchangeToken', async (save, mock, token, info) => {
      // 50 ms after the client has its answer.
      later(mock, 50, () => void save(token, info).catch(() => undefined));
      return undefined;
    }),
  }),
  defect('exchange-token-known-to-ehr', 'token-never-sent', {
    title: 'The exchange token is never sent to the EHR server',
    ...wraps('ehr', 'saveExchangeToken', async () => undefined),
  }),
  defect('exchange-token-known-to-ehr', 'other-token-sent', {
    title: 'The EHR server is sent another exchange token',
    ...wraps('ehr', 'saveExchangeToken', (save, _mock, token, info) => save(`${token.slice(1)}x`, info)),
  }),
  defect('exchange-token-known-to-ehr', 'refused-token-given', {
    title: 'An exchange token is given out whatever the EHR server answers',
    playing: ['exchange-token-trouble'],
    ...wraps('ehr', 'saveExchangeToken', (save, _mock, token, info) =>
      save(token, info).then(
        () => undefined,
        () => undefined,
      ),
    ),
  }),
  defect('token-not-saved-for-two', 'exchange-token-for-two', {
    title: 'An exchange token is saved for the session that asked before as well',
    ...wraps('ehr', 'saveExchangeToken', async (save, { seen }, token, info) => {
      const last = seen.notes<typeof info>('asked before');
      const before = last.get('');
      last.set('', info);
      const refusal = await save(token, info);
      if (before && before.token !== info.token) await save(token, before).catch(() => undefined);
      return refusal;
    }),
  }),
  defect('exchange-token-new-each-time', 'exchange-token-cached', {
    title: 'A session is given the same exchange token each time',
    ...cached(EXCHANGE, ({ cred }) => cred.token ?? ''),
  }),
  defect('exchange-token-of-one-session', 'exchange-token-for-all', {
    title: 'The last exchange token is given to whoever asks within ten minutes',
    ...cached(EXCHANGE, () => ''),
  }),
  defect('exchange-token-of-one-session', 'exchange-token-in-shared-variable', {
    title: 'Requests for exchange tokens share a variable for the token',
    ...inSharedVariable(EXCHANGE),
  }),
  defect('exchange-token-not-given-again', 'exchange-token-recycled', {
    title: 'After ten minutes a session is given its first exchange token again',
    ...around(EXCHANGE, async ({ seen, cred, parts: { clock }, next }) => {
      const firsts = seen.notes<{ result: unknown; at: number }>('first exchange tokens');
      const first = firsts.get(cred.token);
      if (first && clock.now() > first.at + 10 * MINUTE_MS) return { result: first.result };
      const reply = await next();
      if (reply && isDone(reply) && !first) firsts.set(cred.token, { result: reply.result, at: clock.now() });
      return reply;
    }),
  }),
  defect('exchange-token-entropy', 'exchange-tokens-short', {
    title: 'Exchange tokens have 48 bits',
    ...shortened(6),
  }),
  defect('exchange-token-entropy', 'exchange-tokens-hash-of-counter', {
    title: 'Exchange tokens are the SHA-256 of a counter',
    ...tokensOf((_mock, count) => hashOf(String(1_000 + count))),
  }),
  defect('session-token-entropy', 'session-tokens-short', {
    title: 'Session tokens have 64 bits',
    ...shortened(8),
  }),
  defect('session-token-entropy', 'tokens-hash-of-counter', {
    title: 'Session tokens are the SHA-256 of a counter',
    ...tokensOf((_mock, count) => hashOf(String(count))),
  }),
  defect('session-token-entropy', 'tokens-hash-of-phone-and-second', {
    title: 'A token is the SHA-1 of the phone that is signing in, and the second',
    ...tokensOf(({ seen, clock }) => {
      const phone = seen.notes<string>('signing in').get('') ?? '';
      return createHash('sha1')
        .update(`${phone}:${Math.floor(clock.now() / 1_000)}`)
        .digest();
    }),
    ...before(CONFIRM, ({ seen, params }) => {
      seen.notes<string>('signing in').set('', String(params.phone));
      return undefined;
    }),
  }),
  defect('exchange-token-bound-to-asker', 'exchange-for-last-session', {
    title: 'The exchange token is bound to whoever signed in last',
    ...actsAs(EXCHANGE, (given, { cred }) => (cred.token ? given.at(-1) : undefined)),
  }),
  defect('exchange-token-bound-to-asker', 'exchange-token-of-first-session', {
    title: "A second session's exchange token is bound to the first",
    ...actsAs(EXCHANGE, (given, { cred }) => given.find(({ user }) => user === cred.user)),
  }),
  defect('session-tokens-unique', 'session-token-per-user', {
    title: 'A user is given the same session token at every sign-in',
    ...tells(CONFIRM, ({ seen, params }) => ({ authInfo: openedFor(seen, params.phone)[0] })),
  }),
  defect('session-after-logout-is-new', 'dead-token-handed-again', {
    title:
      'The session that was given out last is kept for each phone, and given again after it was logged out',
    ...after(done(CONFIRM), ({ seen, params, reply }) => {
      const kept = seen.notes<unknown>('kept sessions');
      const before = membersOf(kept.get(params.phone));
      const { token } = membersOf(before.authInfo);
      const isEnded = seen.done(LOGOUT).some(({ cred }) => token !== undefined && cred.token === token);
      if (isEnded) return { ...reply, result: before };
      kept.set(params.phone, reply.result);
      return undefined;
    }),
  }),
  defect('session-token-drawn-by-server', 'token-of-client-kept', {
    title: 'A token that the client sends with the sign-in becomes the token of the session',
    ...around(ANY, async ({ seen, call, cred, next }) => {
      const real = seen.notes<unknown>('tokens of clients');
      if (call.method !== CONFIRM || typeof cred.token !== 'string')
        return next(real.has(cred.token) ? withCred(call, { token: real.get(cred.token) }) : call);
      const { cred: _own, ...bare } = call;
      const reply = await next(bare as typeof call);
      const result = membersOf(reply?.result);
      const authInfo = membersOf(result.authInfo);
      if (!authInfo.token) return reply;
      real.set(cred.token, authInfo.token);
      return { ...reply, result: { ...result, authInfo: { ...authInfo, token: cred.token } } };
    }),
  }),
  defect('sign-ins-at-once-apart', 'session-in-shared-variable', {
    title: 'Sign-ins at the same time share a variable for the session',
    ...inSharedVariable(CONFIRM),
  }),
  defect('crowd-unharmed', 'eight-at-once', {
    title: 'More than eight requests at the same moment are refused',
    ...around(ANY, async ({ seen, parts, next }) => {
      const underWay = seen.notes<number>('requests under way');
      const add = (more: number) => underWay.set('', (underWay.get('') ?? 0) + more);
      if ((underWay.get('') ?? 0) >= 8)
        return { error: { code: -32000, message: 'Busy.', data: { reason: 'busy' } } };
      add(1);
      // A server that answers at once never has eight to answer.
      await aMoment(parts);
      return next().finally(() => add(-1));
    }),
  }),
];

/** Adds what `what` makes of the phone's last session and signature to the answer to a request for a code. */
const tellsAtRequest = (what: (session: { token: string }, sign: unknown) => object) =>
  tells(REQUEST, ({ seen, params }) => {
    const opened = openedFor(seen, params.phone);
    const last = opened.at(-1);
    const reports = seen.done(REPORT).filter(({ cred }) => opened.some(({ token }) => token === cred.token));
    return last && what(last, reports.at(-1)?.params.user_sign);
  });

export const toldDefects = [
  defect('no-secrets-in-output', 'messages-logged', {
    title: 'It logs the text of each message, with the code',
    ...wraps('messages', 'add', (add, { print }, ...message) => {
      print(`sent: ${message[1]}`);
      return add(...message);
    }),
  }),
  defect('no-secrets-in-output', 'password-logged-at-start', {
    title: 'It logs its settings when it starts, with the internal password',
    parts: ({ print, password }) => print(`settings: port=8080 password=${password}`),
  }),
  defect('foreign-origin-not-allowed-cookies', 'cookie-for-any-origin', {
    title: 'A sign-in sets a cookie, and every Origin is allowed credentials',
    http: (listener) => (request, response) => {
      response.setHeader('set-cookie', 'session=of-this-browser; HttpOnly');
      if (request.headers.origin !== undefined) {
        response.setHeader('access-control-allow-origin', request.headers.origin);
        response.setHeader('access-control-allow-credentials', 'true');
      }
      listener(request, response);
    },
  }),
  defect('session-cookie-guarded', 'session-cookie-for-scripts', {
    title: 'The token of a session comes as a cookie that scripts can read',
    http:
      (listener, { seen }) =>
      (request, response) => {
        const { token } = membersOf(seen.done(CONFIRM).at(-1)?.result.authInfo);
        if (token) response.setHeader('set-cookie', `session=${token}; Path=/; SameSite=Lax`);
        listener(request, response);
      },
  }),
  defect('nothing-done-by-get', 'get-carried-out', {
    title: 'A GET is carried out as a POST',
    http: (listener) => async (request, response) => {
      const fields = [...new URL(request.url ?? '', 'http://mock').searchParams];
      if (request.method !== 'GET' || !fields.some(([name]) => name === 'method'))
        return listener(request, response);
      const members = fields.map(([name, text]) => [name, text.startsWith('{') ? JSON.parse(text) : text]);
      const reply = await fetch(`http://${request.headers.host}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(members)),
      });
      response.setHeader('content-type', 'application/json').end(await reply.text());
    },
  }),
  defect('request-tells-nothing', 'session-told-at-request', {
    title: 'The answer to the request of a code has a session of that phone',
    ...tellsAtRequest(({ token }) => ({ session: token })),
  }),
  defect('request-tells-nothing', 'sign-told-at-request', {
    title: 'The answer to the request of a code has the user_sign of that phone',
    ...tellsAtRequest((_session, sign) => ({ profile: { sign } })),
  }),
  defect('internal-secrets-not-to-client', 'password-in-errors', {
    title: 'Errors carry the settings with the internal password',
    ...tellsInRefusal(ANY, ({ parts }) => ({ settings: parts.config })),
  }),
  defect('internal-secrets-not-to-client', 'digest-told', {
    title: 'The exchange token comes with the digest of its save',
    ...tells(EXCHANGE, ({ parts, result }) => ({
      check: digest(parts.password, String(result.exchangeToken)),
    })),
  }),
  defect('others-secrets-not-to-client', 'sign-of-last-link-told', {
    title: 'A sign-in is answered with the signature that was reported last',
    ...tells(CONFIRM, ({ seen }) => ({ user_sign: seen.done(REPORT).at(-1)?.params.user_sign })),
  }),
  defect('ehr-error-not-passed-on', 'ehr-error-told', {
    title: 'The client is told what the EHR server said',
    fetch: (send, seen) => async (input, init) => {
      const response = await send(input, init);
      seen.notes<string>('said').set('', await saidIn(response));
      return response;
    },
    ...after(refused(ANY), ({ seen, reply }) => {
      const error = membersOf(reply.error);
      const said = seen.notes<string>('said').get('') ?? '';
      return { ...reply, error: { ...error, message: `${error.message} ${said}` } };
    }),
  }),
  defect('doubled-members-not-confused', 'doubled-phone-confused', {
    title: 'Of two phones in a confirmation the first is compared and the last signed in',
    ...around(CONFIRM, ({ text, parts, params, call, next }) => {
      const [first, last] = [...text.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone as string);
      const isConfused = last !== undefined && codesSent(parts, first)[0] === params.code;
      return isConfused ? next(withParams(call, { phone: last, code: freshCode(parts, last) })) : next();
    }),
  }),
];
