/** Defects in who a user is, in the correspondence table, and in whose session a request is executed. */
import type { Entry } from '#mock-auth-server/store/store.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import {
  ANY,
  actsAs,
  after,
  around,
  before,
  type Change,
  CONFIRM,
  codesSent,
  DELETE,
  defect,
  EXCHANGE,
  LOGOUT,
  type Mock,
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
} from '../defect.ts';

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

export const recognitionDefects = [
  defect('exchange-token-needs-session', 'no-session-needed', {
    title: 'Without a session the last one is used',
    ...actsAs(EXCHANGE, (given, turn) => (tokenOf(turn) === '' ? given.at(-1) : undefined)),
  }),
  defect('exchange-token-needs-session', 'no-token-opens-last', {
    title: 'A request without a token opens the last session of the user it names',
    ...withoutToken(EXCHANGE),
  }),
  defect('invented-session-refused', 'token-not-verified', {
    title: 'Only the user of a session is verified',
    ...namedUser(EXCHANGE),
  }),
  defect('invented-session-refused', 'unknown-token-opens-last', {
    title: 'Any token opens the newest session',
    ...around(ANY, async (turn) => {
      const first = await turn.next();
      const session = tokenOf(turn) === '' ? undefined : turn.seen.sessions.at(-1);
      return session && reasonOf(first) === 'not_authorized'
        ? turn.next(withCred(turn.call, session))
        : first;
    }),
  }),
  defect('mixed-session-refused', 'user-not-verified', {
    title: 'Only the token of a session is verified',
    ...before(ANY, (turn) => {
      const session = turn.parts.store.sessions.find(hashToken(tokenOf(turn)));
      return session && withCred(turn.call, { user: session.user });
    }),
  }),
  defect('part-of-session-refused', 'session-by-prefix', {
    title: 'A session is found by the first eight characters of its token',
    ...finds((token, shown) => token.slice(0, 8) === shown.slice(0, 8)),
  }),
  defect('part-of-session-refused', 'last-character-not-compared', {
    title: 'A session is found by its token without the last character',
    ...finds((token, shown) => token.slice(0, -1) === shown.slice(0, -1)),
  }),
  defect('report-for-own-session', 'report-for-named-user', {
    title: 'A report is carried out for the user who is named',
    ...namedUser(REPORT),
  }),
  defect('logout-of-own-session', 'logout-of-named-user', {
    title: 'A logout ends the session of the user who is named',
    ...namedUser(LOGOUT),
  }),
  defect('deletion-of-own-user', 'deletion-of-named-user', {
    title: 'A deletion is carried out for the user who is named',
    ...namedUser(DELETE),
  }),
  defect('report-needs-session', 'report-without-session', {
    title: 'A report without a session is carried out for the newest one',
    ...actsAs(REPORT, (given, turn) => (tokenOf(turn) === '' ? given.at(-1) : undefined)),
  }),
  defect('report-needs-session', 'report-without-token', {
    title: 'A report without a token is taken for the last session of the user it names',
    ...withoutToken(REPORT),
  }),
  defect('saved-session-is-the-given-one', 'reports-last-session', {
    title: 'A report saves the session of whoever signed in last',
    ...actsAs(REPORT, (given) => given.at(-1)),
  }),
];

/** Uses the correspondence entry of `standIn` for users who have none; undefined: the entry stays missing. */
const withEntry = (standIn: (user: string, mock: Mock) => Entry | undefined): Change => ({
  parts(mock) {
    const { directory } = mock.store;
    const { entryOf, keepUserSign } = directory;
    directory.entryOf = (user) => entryOf(user) ?? standIn(user, mock);
    directory.keepUserSign = (user, sign) => keepUserSign(user, sign) || standIn(user, mock) !== undefined;
  },
});

const NO_ENTRY = { internalId: 'int-none', userSign: null };

export const userDefects = [
  defect('users-stable', 'users-new-each-time', {
    title: 'Every sign-in makes a new user',
    ...before(CONFIRM, (turn) => {
      const { params, parts } = turn;
      const user = userOf(turn);
      const isRight = codesSent(parts, params.phone)[0] === params.code;
      if (user && isRight && !params.ehr_user_sign) parts.store.directory.removeUser(user);
    }),
  }),
  defect('users-stable', 'user-number-used-again', {
    title: 'Users are numbered, and the number of a deleted one goes to the next newcomer',
    ...wraps('directory', 'ensureUser', (ensureUser, { store: { directory } }, given) => {
      let number = 1;
      while (directory.identityOf(`u-${number}`)) number++;
      return ensureUser({ ...given, user: `u-${number}` });
    }),
  }),
  defect('users-stable', 'user-for-each-spelling', {
    title: 'Each spelling of a phone is a user of its own',
    ...tells(CONFIRM, ({ params, result }) => {
      const [authInfo, phone] = [membersOf(result.authInfo), String(params.phone)];
      const user = `${authInfo.user}-${phone.length}`;
      return /^7\d+$/.test(phone) ? undefined : { authInfo: { ...authInfo, user } };
    }),
  }),
  defect('missing-correspondence-not-saved', 'correspondence-ignored', {
    title: 'A missing correspondence entry is ignored',
    ...withEntry(() => NO_ENTRY),
  }),
  defect('missing-correspondence-told', 'correspondence-error-swallowed', {
    title: 'A missing correspondence entry is answered with success',
    ...after(refused(ANY, 'user_unknown'), ({ reply: { id } }) => ({ ...yes(), id })),
  }),
  defect('entry-of-own-phone', 'entry-by-last-ten-digits', {
    title: 'The correspondence table is searched by the last ten digits of the phone',
    ...withEntry((user, { store: { directory } }) => {
      const ending = (of: string) => directory.identityOf(of)?.value.slice(-10);
      const like = directory.listEntries().find((entry) => ending(entry.user) === ending(user));
      return like && { internalId: like.internalId, userSign: null };
    }),
  }),
  defect('correspondence-checked-at-sign-in', 'correspondence-unchecked-at-sign-in', {
    title: 'A sign-in with a signature looks at no correspondence table',
    ...withEntry((_user, { seen }) => (seen.notes<number>('sign-ins').get('') ? NO_ENTRY : undefined)),
    ...around(
      ({ call, params }) => call.method === CONFIRM && Boolean(params.ehr_user_sign),
      ({ seen, next }) => {
        const signIns = seen.notes<number>('sign-ins');
        const add = (more: number) => signIns.set('', (signIns.get('') ?? 0) + more);
        add(1);
        return next().finally(() => add(-1));
      },
    ),
  }),
  defect('linked-users-admitted-after-restart', 'correspondence-in-memory', {
    title: 'A restart forgets the correspondence table',
    parts({ store: { directory }, seen }) {
      const { ensureUser, entryOf } = directory;
      const listed = seen.notes('users since the start');
      directory.ensureUser = (about) => {
        const user = ensureUser(about);
        if (user === about.user) listed.set(user, true);
        return user;
      };
      directory.entryOf = (user) => (listed.has(user) ? entryOf(user) : undefined);
    },
  }),
  defect('foreign-signature-opens-own-session', 'signature-picks-user', {
    title: 'A sign-in with the signature of another user opens the session of that user',
    ...tells(CONFIRM, ({ seen, params, result }) => {
      const report = seen.done(REPORT).findLast((linked) => linked.params.user_sign === params.ehr_user_sign);
      const owner = seen.sessions.find(({ token }) => token === report?.cred.token);
      const authInfo = membersOf(result.authInfo);
      return owner && owner.user !== authInfo.user ? { authInfo: { ...authInfo, ...owner } } : undefined;
    }),
  }),
  defect('nobody-else-named', 'users-listed', {
    title: 'A sign-in is answered with the users who signed in last',
    ...tells(CONFIRM, ({ seen }) => ({ online: seen.sessions.map(({ user }) => user).slice(-5) })),
  }),
  defect('nobody-else-named', 'last-phone-told', {
    title: 'The answer to the request of a code names the phone of the request before',
    ...tells(REQUEST, ({ seen }) => ({ previous: seen.done(REQUEST).at(-2)?.params.phone })),
  }),
];
