/** Defects in who a user is, in the correspondence table, and in whose session a request is executed. */
import type { Entry } from '#mock-auth-server/store/store.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { type Change, foundBy, type Mock } from '../defect.ts';
import {
  ANY,
  actsAs,
  after,
  around,
  before,
  CONFIRM,
  codesSent,
  DELETE,
  directoryIn,
  EXCHANGE,
  LOGOUT,
  type MockTurn,
  membersOf,
  REPORT,
  REQUEST,
  reasonOf,
  refused,
  tells,
  userOf,
  withCred,
  wraps,
  yes,
} from '../operators.ts';

const tokenOf = ({ cred }: MockTurn) => (typeof cred.token === 'string' ? cred.token : '');

const finds = (fits: (token: string, shown: string) => boolean) =>
  actsAs(ANY, (given, turn) => {
    const shown = tokenOf(turn);
    return shown === '' ? undefined : given.find(({ token }) => fits(token, shown));
  });

const namedUser = (method: string) =>
  actsAs(method, (given, { cred }) => given.findLast(({ user }) => user === cred.user));

const withoutToken = (method: string) =>
  actsAs(method, (given, { cred }) =>
    cred.token === undefined ? given.findLast(({ user }) => user === cred.user) : undefined,
  );

export const recognitionDefects = foundBy({
  'exchange-token-needs-session': [
    'no-session-needed: Without a session the last one is used',
    actsAs(EXCHANGE, (given, turn) => (tokenOf(turn) === '' ? given.at(-1) : undefined)),
    'no-token-opens-last: A request without a token opens the last session of the user it names',
    withoutToken(EXCHANGE),
  ],
  'invented-session-refused': [
    'token-not-verified: Only the user of a session is verified',
    namedUser(EXCHANGE),
    'unknown-token-opens-last: Any token opens the newest session',
    around(ANY, async (turn) => {
      const first = await turn.next();
      const session = tokenOf(turn) === '' ? undefined : turn.seen.sessions.at(-1);
      return session && reasonOf(first) === 'not_authorized'
        ? turn.next(withCred(turn.call, session))
        : first;
    }),
  ],
  'mixed-session-refused': [
    'user-not-verified: Only the token of a session is verified',
    before(ANY, (turn) => {
      const session = turn.parts.store.sessions.find(hashToken(tokenOf(turn)));
      return session && withCred(turn.call, { user: session.user });
    }),
  ],
  'part-of-session-refused': [
    'session-by-prefix: A session is found by the first eight characters of its token',
    finds((token, shown) => token.slice(0, 8) === shown.slice(0, 8)),
    'last-character-not-compared: A session is found by its token without the last character',
    finds((token, shown) => token.slice(0, -1) === shown.slice(0, -1)),
  ],
  'report-for-own-session': [
    'report-for-named-user: A report is carried out for the user who is named',
    namedUser(REPORT),
  ],
  'logout-of-own-session': [
    'logout-of-named-user: A logout ends the session of the user who is named',
    namedUser(LOGOUT),
  ],
  'deletion-of-own-user': [
    'deletion-of-named-user: A deletion is carried out for the user who is named',
    namedUser(DELETE),
  ],
  'report-needs-session': [
    'report-without-session: A report without a session is carried out for the newest one',
    actsAs(REPORT, (given, turn) => (tokenOf(turn) === '' ? given.at(-1) : undefined)),
    'report-without-token: A report without a token is taken for the last session of the user it names',
    withoutToken(REPORT),
  ],
  'saved-session-is-the-given-one': [
    'reports-last-session: A report saves the session of whoever signed in last',
    actsAs(REPORT, (given) => given.at(-1)),
  ],
});

/** Gives a phone for which `isOdd` is true another user: the right user's id and `ending`. */
const userFor = (isOdd: (phone: string) => boolean, ending: (phone: string) => string) =>
  tells(CONFIRM, ({ params, result }) => {
    const authInfo = membersOf(result.authInfo);
    const phone = String(params.phone);
    return isOdd(phone)
      ? { authInfo: { ...authInfo, user: `${authInfo.user}-${ending(phone)}` } }
      : undefined;
  });

/** Uses the correspondence entry of `standIn` for users who have none; undefined: the entry stays missing. */
const withEntry = (
  standIn: (user: string, ledger: Mock['ledger'], mock: Mock) => Entry | undefined,
): Change => ({
  parts(mock) {
    const { store, ledger } = mock;
    const { directory } = store;
    const { entryOf, keepUserSign } = directory;
    directory.entryOf = (user) => entryOf(user) ?? standIn(user, ledger, mock);
    directory.keepUserSign = (user, sign) =>
      keepUserSign(user, sign) || standIn(user, ledger, mock) !== undefined;
  },
});

/** Gives a user without an entry that of a phone with the same last digits. `digits`: how many of them. */
const entryByEnding = (digits: number) =>
  withEntry((user, _ledger, { store: { directory } }) => {
    const ending = (of: string) => directory.identityOf(of)?.value.slice(-digits);
    const like = directory.listEntries().find((entry) => ending(entry.user) === ending(user));
    return like && { internalId: like.internalId, userSign: null };
  });

const NO_ENTRY = { internalId: 'int-none', userSign: null };

export const userDefects = foundBy({
  'users-stable': [
    'users-new-each-time: Every sign-in makes a new user',
    before(CONFIRM, (turn) => {
      const { params, parts } = turn;
      const user = userOf(turn);
      const isRight = codesSent(parts, params.phone)[0] === params.code;
      if (user && isRight && !params.ehr_user_sign) parts.store.directory.removeUser(user);
      return undefined;
    }),
    'user-number-used-again: Users are numbered, and the number of a deleted one goes to the next newcomer',
    wraps(directoryIn, 'ensureUser', (ensureUser, { store: { directory } }, given) => {
      let number = 1;
      while (directory.identityOf(`u-${number}`)) number++;
      return ensureUser({ ...given, user: `u-${number}` });
    }),
    'user-for-each-spelling: Each spelling of a phone is a user of its own',
    userFor(
      (phone) => !/^7\d+$/.test(phone),
      (phone) => String(phone.length),
    ),
  ],
  'missing-correspondence-not-saved': [
    'correspondence-ignored: A missing correspondence entry is ignored',
    withEntry(() => NO_ENTRY),
  ],
  'missing-correspondence-told': [
    'correspondence-error-swallowed: A missing correspondence entry is answered with success',
    after(refused(ANY, 'user_unknown'), ({ reply: { id } }) => ({ ...yes(), id })),
  ],
  'entry-of-own-phone': [
    'entry-by-last-ten-digits: The correspondence table is searched by the last ten digits of the phone',
    entryByEnding(10),
  ],
  'correspondence-checked-at-sign-in': [
    'correspondence-unchecked-at-sign-in: A sign-in with a signature looks at no correspondence table',
    withEntry((_user, ledger) => (ledger.notes<number>('sign-ins').get('') ? NO_ENTRY : undefined)),
    around(
      ({ call, params }) => call.method === CONFIRM && Boolean(params.ehr_user_sign),
      ({ seen, next }) => {
        const signIns = seen.notes<number>('sign-ins');
        const add = (more: number) => signIns.set('', (signIns.get('') ?? 0) + more);
        add(1);
        return next().finally(() => add(-1));
      },
    ),
  ],
  'linked-users-admitted-after-restart': [
    'correspondence-in-memory: A restart forgets the correspondence table',
    {
      parts({ store: { directory }, ledger }) {
        const { ensureUser, entryOf } = directory;
        const listed = ledger.notes('users since the start');
        directory.ensureUser = (about) => {
          const user = ensureUser(about);
          if (user === about.user) listed.set(user, true);
          return user;
        };
        directory.entryOf = (user) => (listed.has(user) ? entryOf(user) : undefined);
      },
    },
  ],
  'foreign-signature-opens-own-session': [
    'signature-picks-user: A sign-in with the signature of another user opens the session of that user',
    tells(CONFIRM, ({ seen, params, result }) => {
      const report = seen.done(REPORT).findLast((linked) => linked.params.user_sign === params.ehr_user_sign);
      const owner = seen.sessions.find(({ token }) => token === report?.cred.token);
      const authInfo = membersOf(result.authInfo);
      return owner && owner.user !== authInfo.user ? { authInfo: { ...authInfo, ...owner } } : undefined;
    }),
  ],
  'nobody-else-named': [
    'users-listed: A sign-in is answered with the users who signed in last',
    tells(CONFIRM, ({ seen }) => ({ online: seen.sessions.map(({ user }) => user).slice(-5) })),
    'last-phone-told: The answer to the request of a code names the phone of the request before',
    tells(REQUEST, ({ seen }) => ({ previous: seen.done(REQUEST).at(-2)?.params.phone })),
  ],
});
