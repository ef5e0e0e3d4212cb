/** Defects in how the session of a request is recognized, and in whose session it is executed. */
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { foundBy } from '../defect.ts';
import {
  ANY,
  actsAs,
  around,
  before,
  DELETE,
  EXCHANGE,
  LOGOUT,
  type MockTurn,
  REPORT,
  reasonOf,
  withCred,
} from '../operators.ts';

/** The session token that a call shows; '' when it shows none. */
const tokenOf = ({ cred }: MockTurn) => (typeof cred.token === 'string' ? cred.token : '');

/** Executes a call in the first session whose token `fits` the token that the call shows. */
const finds = (fits: (token: string, shown: string) => boolean) =>
  actsAs(ANY, (given, turn) => {
    const shown = tokenOf(turn);
    return shown === '' ? undefined : given.find(({ token }) => fits(token, shown));
  });

/** Executes calls of a method in the newest session of the user whom `cred` names, whatever the token. */
const namedUser = (method: string) =>
  actsAs(method, (given, { cred }) => given.findLast(({ user }) => user === cred.user));

/** Executes calls of a method whose `cred` has no token in the newest session of the user whom it names. */
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
