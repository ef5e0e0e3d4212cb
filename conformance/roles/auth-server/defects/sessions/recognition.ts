/** Defects in how a session is recognized, and in whose session a request is executed. */
import { hashToken } from '#protocol/wire/secrets.ts';
import type { StepName } from '../../../../engine/journal/entry.ts';
import { foundBy } from '../defect.ts';
import {
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

const BOTH = ['challenge', 'carried-sign'] as const;
const ANY = () => true;

const tokenOf = ({ cred }: MockTurn) => (typeof cred.token === 'string' ? cred.token : '');

/** Finds the session of a call by a comparison of its token with those that were given out. */
const finds = (fits: (token: string, shown: string) => boolean) =>
  actsAs(ANY, (given, turn) => {
    const shown = tokenOf(turn);
    return shown === '' ? undefined : given.find(({ token }) => fits(token, shown));
  });

/** Executes calls of a method for the newest session of the user whom their cred names. */
const namedUser = (method: string) =>
  actsAs(method, (given, { cred }) => given.findLast(({ user }) => user === cred.user));

/** The same for calls whose cred has no token. */
const withoutToken = (method: string) =>
  actsAs(method, (given, { cred }) =>
    cred.token === undefined ? given.findLast(({ user }) => user === cred.user) : undefined,
  );

/** The shape trusts the user named beside its bearer token, at one step. */
const namedUserWins = (step: StepName) =>
  ({ on: ['challenge'], fault: 'named-user-wins', file: { namesUser: [step] } }) as const;

export const recognitionDefects = foundBy({
  'exchange-token-needs-session/no-session-needed': {
    title: 'Without a session the last one is used',
    change: actsAs(EXCHANGE, (given, turn) => (tokenOf(turn) === '' ? given.at(-1) : undefined)),
  },
  'exchange-token-needs-session/no-cred-never-answered': {
    title: 'A request of an exchange token without cred is never answered',
    change: around(EXCHANGE, ({ call, next }) =>
      call.cred === undefined ? new Promise<never>(() => undefined) : next(),
    ),
  },
  'exchange-token-needs-session/no-token-opens-last': {
    title: 'A request without a token opens the last session of the user it names',
    change: withoutToken(EXCHANGE),
  },
  'exchange-token-needs-session/no-bearer-opens-last': {
    title: 'A request without an Authorization header opens the newest session',
    on: ['challenge'],
  },
  'invented-session-refused/token-not-verified': {
    title: 'Only the user of a session is verified',
    change: namedUser(EXCHANGE),
  },
  'invented-session-refused/unknown-token-opens-last': {
    title: 'Any token opens the newest session',
    change: around(ANY, async (turn) => {
      const first = await turn.next();
      const session = tokenOf(turn) === '' ? undefined : turn.seen.sessions.at(-1);
      return session && reasonOf(first) === 'not_authorized'
        ? turn.next(withCred(turn.call, session))
        : first;
    }),
    on: ['challenge-unknown-bearer-opens-last'],
  },
  'mixed-session-refused/user-not-verified': {
    title: 'Only the token of a session is verified',
    change: before(ANY, (turn) => {
      const session = turn.parts.store.sessions.find(hashToken(tokenOf(turn)));
      return session && withCred(turn.call, { user: session.user });
    }),
  },
  'mixed-session-refused/token-for-named-user': {
    title: 'A request of an exchange token is carried out for the user who is named',
    ...namedUserWins('exchangeToken'),
  },
  'part-of-session-refused/session-by-prefix': {
    title: 'A session is found by the first eight characters of its token',
    change: finds((token, shown) => token.slice(0, 8) === shown.slice(0, 8)),
    on: BOTH,
  },
  'part-of-session-refused/session-by-part': {
    title: 'A session is found by the beginning of its token, however short',
    change: finds((token, shown) => token.startsWith(shown)),
  },
  'part-of-session-refused/last-character-not-compared': {
    title: 'A session is found by its token without the last character',
    change: finds((token, shown) => token.slice(0, -1) === shown.slice(0, -1)),
    on: ['challenge'],
  },
  'session-case-compared/session-in-any-case': {
    title: 'A session is found by its token in any case',
    change: finds((token, shown) => token.toLowerCase() === shown.toLowerCase()),
    on: BOTH,
  },
  'session-not-sought-in-text/session-sought-in-text': {
    title: 'A session is found by a text that has its token in it',
    change: finds((token, shown) => shown.includes(token)),
    on: ['challenge'],
  },
  'report-for-own-session/report-for-named-user': {
    title: 'A report is carried out for the user who is named',
    change: namedUser(REPORT),
    ...namedUserWins('reportLink'),
  },
  'logout-of-own-session/logout-of-named-user': {
    title: 'A logout ends the session of the user who is named',
    change: namedUser(LOGOUT),
    ...namedUserWins('logout'),
  },
  'deletion-of-own-user/deletion-of-named-user': {
    title: 'A deletion is carried out for the user who is named',
    change: namedUser(DELETE),
    ...namedUserWins('deleteUser'),
  },
  'report-needs-session/report-without-session': {
    title: 'A report without a session is carried out for the newest one',
    change: actsAs(REPORT, (given, turn) => (tokenOf(turn) === '' ? given.at(-1) : undefined)),
    on: ['challenge-link-without-session'],
  },
  'report-needs-session/report-without-token': {
    title: 'A report without a token is taken for the last session of the user it names',
    change: withoutToken(REPORT),
  },
  'newest-outlives-older-logout/logout-ends-newest': {
    title: 'A logout ends the newest session of the user',
    change: namedUser(LOGOUT),
  },
  'saved-session-is-the-given-one/reports-last-session': {
    title: 'A report saves the session of whoever signed in last',
    change: actsAs(REPORT, (given) => given.at(-1)),
  },
});
