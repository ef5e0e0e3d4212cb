/** Defects in how tokens are drawn, to whom they are bound, and which are given again. */
import { createHash } from 'node:crypto';
import { foundBy } from '../defect.ts';
import {
  ANY,
  actsAs,
  after,
  announces,
  around,
  CONFIRM,
  done,
  EXCHANGE,
  isDone,
  LOGOUT,
  later,
  membersOf,
  memoised,
  openedFor,
  shared,
  slowly,
  tokensOf,
  withCred,
} from '../operators.ts';

const MINUTE_MS = 60_000;

const shortened = (bytes: number) => tokensOf((_mock, _count, random) => random(bytes));

const hashOf = (text: string) => createHash('sha256').update(text).digest();

export const tokenDefects = foundBy({
  'exchange-token-ehr-first': [
    'token-before-ehr: The exchange token reaches the client before the EHR server',
    announces((save, mock) => async (token, info) => {
      // 50 ms after the client has its answer.
      later(mock, 50, () => void save(token, info).catch(() => undefined));
      return undefined;
    }),
  ],
  'exchange-token-known-to-ehr': [
    'token-never-sent: The exchange token is never sent to the EHR server',
    announces(() => async () => undefined),
    'other-token-sent: The EHR server is sent another exchange token',
    announces((save) => (token, info) => save(`${token.slice(1)}x`, info)),
  ],
  'token-not-saved-for-two': [
    'exchange-token-for-two: An exchange token is saved for the session that asked before as well',
    announces((save, { ledger }) => async (token, info) => {
      const last = ledger.notes<typeof info>('asked before');
      const before = last.get('');
      last.set('', info);
      const refusal = await save(token, info);
      if (before && before.token !== info.token) await save(token, before).catch(() => undefined);
      return refusal;
    }),
  ],
  'exchange-token-new-each-time': [
    'exchange-token-cached: A session is given the same exchange token each time',
    memoised(EXCHANGE, ({ cred }) => cred.token ?? ''),
  ],
  'exchange-token-of-one-session': [
    'exchange-token-for-all: The last exchange token is given to whoever asks within ten minutes',
    memoised(EXCHANGE, () => ''),
    'exchange-token-in-shared-variable: Requests for exchange tokens share a variable for the token',
    shared(EXCHANGE, () => EXCHANGE),
  ],
  'exchange-token-not-given-again': [
    'exchange-token-recycled: After ten minutes a session is given its first exchange token again',
    around(EXCHANGE, async ({ seen, cred, parts: { clock }, next }) => {
      const firsts = seen.notes<{ result: unknown; at: number }>('first exchange tokens');
      const first = firsts.get(cred.token);
      if (first && clock.now() > first.at + 10 * MINUTE_MS) return { result: first.result };
      const reply = await next();
      if (reply && isDone(reply) && !first) firsts.set(cred.token, { result: reply.result, at: clock.now() });
      return reply;
    }),
  ],
  'exchange-token-entropy': [
    'exchange-tokens-short: Exchange tokens have 48 bits',
    shortened(6),
    'exchange-tokens-hash-of-counter: Exchange tokens are the SHA-256 of a counter',
    tokensOf((_mock, count) => hashOf(String(1_000 + count))),
  ],
  'session-token-entropy': [
    'session-tokens-short: Session tokens have 64 bits',
    shortened(8),
    'tokens-hash-of-counter: Session tokens are the SHA-256 of a counter',
    tokensOf((_mock, count) => hashOf(String(count))),
  ],
  'exchange-token-bound-to-asker': [
    'exchange-for-last-session: The exchange token is bound to whoever signed in last',
    actsAs(EXCHANGE, (given, { cred }) => (cred.token ? given.at(-1) : undefined)),
    "exchange-token-of-first-session: A second session's exchange token is bound to the first",
    actsAs(EXCHANGE, (given, { cred }) => given.find(({ user }) => user === cred.user)),
  ],
  'session-tokens-unique': [
    'session-token-per-user: A user is given the same session token at every sign-in',
    after(done(CONFIRM), ({ seen, params, reply, result }) => ({
      ...reply,
      result: { ...result, authInfo: openedFor(seen, params.phone)[0] },
    })),
  ],
  'session-after-logout-is-new': [
    'dead-token-handed-again: The session that was given out last is kept for each phone, and given again after it was logged out',
    after(done(CONFIRM), ({ seen, params, reply }) => {
      const kept = seen.notes<unknown>('kept sessions');
      const before = membersOf(kept.get(params.phone));
      const { token } = membersOf(before.authInfo);
      const isEnded = seen.done(LOGOUT).some(({ cred }) => token !== undefined && cred.token === token);
      if (isEnded) return { ...reply, result: before };
      kept.set(params.phone, reply.result);
      return undefined;
    }),
  ],
  'session-token-drawn-by-server': [
    'token-of-client-kept: A token that the client sends with the sign-in becomes the token of the session',
    around(ANY, async ({ seen, call, cred, next }) => {
      const real = seen.notes<unknown>('tokens of clients');
      if (call.method !== CONFIRM || typeof cred.token !== 'string')
        return next(real.has(cred.token) ? withCred(call, { token: real.get(cred.token) }) : call);
      const { cred: _own, ...bare } = call;
      const reply = await next(bare as typeof call);
      const authInfo = membersOf(membersOf(reply?.result).authInfo);
      if (!isDone(reply) || !authInfo.token) return reply;
      real.set(cred.token, authInfo.token);
      return {
        ...reply,
        result: { ...membersOf(reply?.result), authInfo: { ...authInfo, token: cred.token } },
      };
    }),
  ],
  'sign-ins-at-once-apart': [
    'session-in-shared-variable: Sign-ins at the same time share a variable for the session',
    shared(CONFIRM, () => CONFIRM),
  ],
  'crowd-unharmed': [
    'eight-at-once: More than eight requests at the same moment are refused',
    around(ANY, async ({ seen, parts, next }) => {
      const underWay = seen.notes<number>('requests under way');
      const add = (more: number) => underWay.set('', (underWay.get('') ?? 0) + more);
      if ((underWay.get('') ?? 0) >= 8)
        return { error: { code: -32000, message: 'Busy.', data: { reason: 'busy' } } };
      add(1);
      // A server that answers at once never has eight to answer.
      await slowly(parts);
      return next().finally(() => add(-1));
    }),
  ],
});
