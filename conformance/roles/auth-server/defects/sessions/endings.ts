/** Defects in how sessions end: by a logout, a deletion, their ttl, a restart, or another sign-in. */
import { TTL_UNIT_MS } from '#protocol/limits.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import {
  actsAs,
  around,
  CONFIRM,
  DELETE,
  defect,
  done,
  EXCHANGE,
  ends,
  freshCode,
  instead,
  LOGOUT,
  later,
  type Mock,
  membersOf,
  no,
  REPORT,
  sessionsOf,
  withCred,
  wraps,
  yes,
} from '../defect.ts';

type FoundSession = ReturnType<Mock['store']['sessions']['find']>;

/** The hash of a token as a text, so that it can be the key of a note. */
const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

export const meanwhileDefects = [
  defect('late-request-revives-nothing', 'session-written-back', {
    title: 'A request for an exchange token that a logout overtook writes its session back',
    parts(mock) {
      const { find } = mock.store.sessions;
      const { saveExchangeToken } = mock.ehr;
      const writtenBack = new Map<string, FoundSession>();
      mock.store.sessions.find = (hash) => find(hash) ?? writtenBack.get(keyOf(hash));
      mock.ehr.saveExchangeToken = async (token, info) => {
        const hash = hashToken(info.token);
        const session = find(hash);
        const refusal = await saveExchangeToken(token, info);
        // By then the request itself is refused.
        if (!find(hash)) later(mock, 0, () => writtenBack.set(keyOf(hash), session));
        return refusal;
      };
    },
  }),
];

const MINUTE_MS = 60_000;

type EndingSession = { user: string; expiresAt: number };

/** Replaces each session that the store finds by what `read` makes of it; undefined: none. */
const findsSessions = (
  read: (session: EndingSession, mock: Mock, key: string) => EndingSession | undefined,
) =>
  wraps('sessions', 'find', (find, mock, hash) => {
    const session = find(hash);
    return session && read(session, mock, keyOf(hash));
  });

const endsNothing = wraps('sessions', 'end', () => true);
const deletesNothing = wraps('store', 'deleteUser', () => undefined);
const neverEnds = findsSessions((session, { clock }) => ({
  ...session,
  expiresAt: Math.max(session.expiresAt, clock.now() + MINUTE_MS),
}));

export const endingDefects = [
  defect('logged-out-session-refused', 'session-outlives-logout', {
    title: 'The session lives on after the logout',
    ...endsNothing,
  }),
  defect('ended-session-stays-ended', 'session-revived-by-sign-in', {
    title: 'A sign-in makes the sessions of the user good again that were logged out',
    ...actsAs(EXCHANGE, (_given, { seen, cred }) =>
      seen.done(LOGOUT).some((logout) => logout.cred.token === cred.token)
        ? sessionsOf(seen, cred.user).findLast(({ token }) => token !== cred.token)
        : undefined,
    ),
  }),
  defect('logged-out-session-not-saved', 'report-after-logout', {
    title: 'A link can be reported after the logout',
    ...endsNothing,
  }),
  defect('deleted-session-refused', 'session-outlives-deletion', {
    title: 'The session lives on after the deletion',
    ...deletesNothing,
  }),
  defect('deleted-session-refused', 'old-token-revives-deleted-user', {
    title: 'A call with the token of a deleted user creates the user again',
    ...around([DELETE, EXCHANGE], async ({ seen, parts, call, cred, next }) => {
      const phones = seen.notes<string>('phones of deleted users');
      if (call.method === DELETE) {
        const identity = parts.store.directory.identityOf(String(cred.user));
        const reply = await next();
        if (identity) phones.set(cred.token, identity.value);
        return reply;
      }
      const phone = phones.get(cred.token);
      if (phone === undefined) return next();
      const params = { phone, code: freshCode(parts, phone) };
      const again = await next({ jsonrpc: '2.0', id: call.id, method: CONFIRM, params });
      return next(withCred(call, membersOf(membersOf(again?.result).authInfo)));
    }),
  }),
  defect('deleted-user-forgotten', 'sign-outlives-deletion', {
    title: 'The user_sign is kept after the deletion',
    ...deletesNothing,
  }),
  defect('deleted-user-links-anew', 'deleted-phone-blocked', {
    title: 'The phone of a deleted user cannot link again',
    ...around([DELETE, REPORT], async ({ seen, parts, call, cred, next }) => {
      const phones = seen.notes('blocked phones');
      const phone = parts.store.directory.identityOf(String(cred.user))?.value;
      if (call.method === DELETE && phone !== undefined) phones.set(phone, true);
      return call.method === REPORT && phones.has(phone) ? no('not_authorized') : next();
    }),
  }),
  defect('deletion-ends-all-sessions', 'deletion-leaves-others', {
    title: 'A deletion ends the asking session alone',
    ...instead(DELETE, ({ parts: { store, clock }, cred }) => {
      const hash = hashToken(String(cred.token));
      return store.sessions.find(hash) && store.sessions.end(hash, clock.now()) ? yes() : undefined;
    }),
  }),
  defect('endings-leave-others', 'deletion-ends-everybody', {
    title: 'A deletion ends the sessions of all users',
    ...ends(done(DELETE), ({ seen }) => seen.sessions),
  }),
  defect('endings-leave-others', 'logout-ends-everybody', {
    title: 'A logout ends the sessions of all users',
    ...ends(done(LOGOUT), ({ seen }) => seen.sessions),
  }),
  defect('expired-session-refused', 'session-never-ends', {
    title: 'A session is good after its ttl',
    ...neverEnds,
  }),
  defect('expired-session-not-saved', 'expired-session-reported', {
    title: 'A link can be reported after the ttl',
    ...neverEnds,
  }),
  defect('session-lives-as-told', 'session-ends-early', {
    title: 'A session lives half of its ttl',
    ...findsSessions((session, { clock, config }) =>
      clock.now() < session.expiresAt - (config.sessionTtl * MINUTE_MS) / 2 ? session : undefined,
    ),
  }),
  defect('logout-kept-over-restart', 'logout-in-memory', {
    title: 'A restart forgets logouts',
    parts({ store: { sessions }, seen }) {
      const { find } = sessions;
      const ended = seen.notes('logouts');
      sessions.find = (hash) => (ended.has(keyOf(hash)) ? undefined : find(hash));
      sessions.end = (hash) => find(hash) !== undefined && Boolean(ended.set(keyOf(hash), true));
    },
  }),
  defect('deletion-kept-over-restart', 'deletion-in-memory', {
    title: 'A restart forgets deletions',
    parts(mock) {
      const deleted = mock.seen.notes('deletions');
      mock.store.deleteUser = (user) => void deleted.set(user, true);
      findsSessions((session) => (deleted.has(session.user) ? undefined : session)).parts?.(mock);
    },
  }),
  defect('used-code-kept-over-restart', 'used-code-in-memory', {
    title: 'A restart forgets which codes were used',
    ...wraps('codes', 'claim', (claim, { seen }, attribute, code) => {
      const used = seen.notes('used codes');
      const key = `${attribute.value} ${code}`;
      if (used.has(key)) throw new RpcError('otp_wrong');
      return { ...claim(attribute, code), consume: () => void used.set(key, true) };
    }),
  }),
  defect('session-end-kept-over-restart', 'sessions-renewed-at-start', {
    title: 'A restart gives every session its whole life again',
    parts(mock) {
      const { clock, config, seen } = mock;
      const startedAt = clock.now();
      const opened = seen.notes('opened since the start');
      const { add } = mock.store.sessions;
      mock.store.sessions.add = (session) => {
        opened.set(keyOf(session.tokenHash), true);
        add(session);
      };
      const expiresAt = startedAt + config.sessionTtl * TTL_UNIT_MS[config.ttlUnit];
      findsSessions((session, _mock, key) => (opened.has(key) ? session : { ...session, expiresAt })).parts?.(
        mock,
      );
    },
  }),
];
