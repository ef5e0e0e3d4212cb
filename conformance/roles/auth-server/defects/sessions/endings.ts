/** Defects in how sessions end: by a logout, a deletion, their ttl, a restart, or another sign-in. */
import { TTL_UNIT_MS } from '#protocol/limits.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import type { Ledger } from '../../../../engine/defects/ledger.ts';
import type { Members } from '../../../../engine/defects/rpc-call.ts';
import { authInfoOf, sends } from '../calls/outgoing.ts';
import type { Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
  addedSession,
  around,
  CONFIRM,
  codesIn,
  DELETE,
  done,
  EXCHANGE,
  ends,
  freshCode,
  instead,
  LOGOUT,
  type MockTurn,
  membersOf,
  no,
  REPORT,
  refuses,
  sessionsIn,
  sessionsOf,
  storeIn,
  tells,
  withCred,
  wraps,
  yes,
} from '../operators.ts';

const MINUTE_MS = 60_000;
const SECOND_DEVICE = ['jagduvi1/Cellarion#1218', 'spaze/michalspacek.cz#797'];
const LOGOUT_ALL = ['opencloud-eu/docs#649'];
const DELETION_LEAVES = ['sourcegraph/sourcegraph-public-snapshot#64445', 'mcdonc/klangk#3195'];
const NEVER_ENDS = ['kellnr/kellnr#1245', 'hapijs/yar#92'];

type Session = { user: string; expiresAt: number };

const keyOf = (tokenHash: Uint8Array) => Buffer.from(tokenHash).toString('hex');

/** Finds sessions as another kind of store would. */
const findsSessions = (read: (session: Session, mock: Mock, key: string) => Session | undefined) =>
  wraps(sessionsIn, 'find', (find, mock, hash) => {
    const session = find(hash);
    return session && read(session, mock, keyOf(hash));
  });

const endsNothing = wraps(sessionsIn, 'end', () => true);
const deletesNothing = wraps(storeIn, 'deleteUser', () => undefined);
const neverEnds = findsSessions((session, { clock }) => ({
  ...session,
  expiresAt: Math.max(session.expiresAt, clock.now() + MINUTE_MS),
}));

/** The sessions of a user, but for this one. */
const othersThan = (seen: Ledger, own: Members) =>
  sessionsOf(seen, own.user).filter(({ token }) => token !== own.token);
const others = ({ seen, cred }: MockTurn) => othersThan(seen, cred);

export const endingDefects = foundBy({
  'logged-out-session-refused/session-outlives-logout': {
    title: 'The session lives on after the logout',
    change: endsNothing,
    seenIn: ['bitwarden/server#383', 'casdoor/casdoor#2133'],
  },
  'logged-out-session-not-saved/report-after-logout': {
    title: 'A link can be reported after the logout',
    change: endsNothing,
  },
  'logout-opens-no-session/logout-opens-session': {
    title: 'The answer to a logout carries a new session of the user',
    change: tells(LOGOUT, ({ parts, cred }) => ({ authInfo: addedSession(parts, String(cred.user)) })),
    on: ['challenge'],
  },
  'deleted-session-refused/session-outlives-deletion': {
    title: 'The session lives on after the deletion',
    change: deletesNothing,
  },
  'deleted-session-refused/old-token-revives-deleted-user': {
    title: 'A call with the token of a deleted user creates the user again',
    change: around([DELETE, EXCHANGE], async ({ seen, parts, call, cred, next }) => {
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
    seenIn: ['usenotra/notra#846'],
  },
  'deleted-user-forgotten/sign-outlives-deletion': {
    title: 'The user_sign is kept after the deletion',
    change: deletesNothing,
  },
  'deleted-user-links-anew/deleted-phone-blocked': {
    title: 'The phone of a deleted user cannot link again',
    change: around([DELETE, REPORT], async ({ seen, parts, call, cred, next }) => {
      const phones = seen.notes('blocked phones');
      const phone = parts.store.directory.identityOf(String(cred.user))?.value;
      if (call.method === DELETE && phone !== undefined) phones.set(phone, true);
      return call.method === REPORT && phones.has(phone) ? no('not_authorized') : next();
    }),
  },
  'second-sign-in-leaves-first/second-sign-in-ends-first': {
    title: 'A sign-in ends the earlier sessions of the user',
    change: ends(done(CONFIRM), ({ seen, result }) => othersThan(seen, membersOf(result.authInfo))),
    on: ['carried-sign'],
    seenIn: SECOND_DEVICE,
  },
  'logout-leaves-other-devices/logout-ends-all': {
    title: 'A logout ends every session of the user',
    change: ends(done(LOGOUT), others),
    on: ['challenge'],
    seenIn: LOGOUT_ALL,
  },
  'deletion-ends-all-sessions/deletion-leaves-others': {
    title: 'A deletion ends the asking session alone',
    change: instead(DELETE, ({ parts: { store, clock }, cred }) => {
      const hash = hashToken(String(cred.token));
      return store.sessions.find(hash) && store.sessions.end(hash, clock.now()) ? yes() : undefined;
    }),
    on: ['challenge'],
    seenIn: DELETION_LEAVES,
  },
  'link-leaves-other-devices/link-ends-other-devices': {
    title: 'The report of a link ends the sessions of the user on other devices',
    change: ends(done(REPORT), others),
    on: ['challenge-link-ends-others'],
  },
  'endings-leave-others/deletion-ends-everybody': {
    title: 'A deletion ends the sessions of all users',
    change: ends(done(DELETE), ({ seen }) => seen.sessions),
  },
  'endings-leave-others/logout-ends-everybody': {
    title: 'A logout ends the sessions of all users',
    change: ends(done(LOGOUT), ({ seen }) => seen.sessions),
  },
  'unlinked-user-deleted/unlinked-user-not-deleted': {
    title: 'A user who was never linked cannot be deleted',
    change: refuses(
      DELETE,
      ({ seen, cred }) => cred.user && !seen.done(REPORT).some((report) => report.cred.user === cred.user),
      'internal_error',
    ),
  },
  'expired-session-refused/session-never-ends': {
    title: 'A session is good after its ttl',
    change: neverEnds,
    on: ['challenge', 'carried-sign'],
    seenIn: NEVER_ENDS,
  },
  'expired-session-not-saved/expired-session-reported': {
    title: 'A link can be reported after the ttl',
    change: neverEnds,
    seenIn: NEVER_ENDS,
  },
  'session-lives-as-told/session-ends-early': {
    title: 'A session lives half of its ttl',
    change: findsSessions((session, { clock, config }) =>
      clock.now() < session.expiresAt - (config.sessionTtl * MINUTE_MS) / 2 ? session : undefined,
    ),
  },
  'session-lives-as-told/ttl-in-seconds-everywhere': {
    title: 'Client and EHR server are told the ttl in seconds',
    change: {
      ...sends((out) => void Object.assign(authInfoOf(out), { ttl: Number(authInfoOf(out).ttl) * 60 })),
      ...tells(CONFIRM, ({ result }) => {
        const authInfo = membersOf(result.authInfo);
        return { authInfo: { ...authInfo, ttl: Number(authInfo.ttl) * 60 } };
      }),
    },
  },
  'logout-kept-over-restart/logout-in-memory': {
    title: 'A restart forgets logouts',
    change: {
      parts({ store: { sessions }, ledger }) {
        const { find } = sessions;
        const ended = ledger.notes('logouts');
        sessions.find = (hash) => (ended.has(keyOf(hash)) ? undefined : find(hash));
        sessions.end = (hash) => find(hash) !== undefined && Boolean(ended.set(keyOf(hash), true));
      },
    },
    on: ['challenge-logout-not-stored'],
  },
  'deletion-kept-over-restart/deletion-in-memory': {
    title: 'A restart forgets deletions',
    change: {
      parts(mock) {
        const deleted = mock.ledger.notes('deletions');
        mock.store.deleteUser = (user) => void deleted.set(user, true);
        findsSessions((session) => (deleted.has(session.user) ? undefined : session)).parts?.(mock);
      },
    },
    on: ['challenge-deletion-not-stored'],
  },
  'used-code-kept-over-restart/used-code-in-memory': {
    title: 'A restart forgets which codes were used',
    change: wraps(codesIn, 'claim', (claim, { ledger }, attribute, code) => {
      const used = ledger.notes('used codes');
      const key = `${attribute.value} ${code}`;
      if (used.has(key)) throw new RpcError('otp_wrong');
      return { ...claim(attribute, code), consume: () => void used.set(key, true) };
    }),
    on: ['challenge-used-code-not-stored'],
  },
  'session-end-kept-over-restart/sessions-renewed-at-start': {
    title: 'A restart gives every session its whole life again',
    change: {
      parts(mock) {
        const { clock, config, ledger } = mock;
        const startedAt = clock.now();
        const opened = ledger.notes('opened since the start');
        const { add } = mock.store.sessions;
        mock.store.sessions.add = (session) => {
          opened.set(keyOf(session.tokenHash), true);
          add(session);
        };
        const expiresAt = startedAt + config.sessionTtl * TTL_UNIT_MS[config.ttlUnit];
        findsSessions((session, _mock, key) =>
          opened.has(key) ? session : { ...session, expiresAt },
        ).parts?.(mock);
      },
    },
    on: ['challenge'],
  },
});
