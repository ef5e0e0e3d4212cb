/** Defects of an EHR server in how a session is opened, found, saved and ended. */
import type { Ledger, UserSession } from '../../../../engine/defects/ledger.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, no, withParams, yes } from '../../../../engine/defects/rpc-call.ts';
import {
  AUTHENTICATE,
  after,
  around,
  before,
  both,
  DISCONNECT,
  type EhrTurn,
  type EhrWhich,
  foundBy,
  instead,
  LOG_OUT,
  memoised,
  OF_SESSIONS,
  pendingOf,
  READ,
  REMOVALS,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
} from '../changes.ts';

export const endsFurther = (which: EhrWhich, tokens: (turn: EhrTurn) => readonly string[]) =>
  both(
    around(which, async (turn) => {
      const ending = tokens(turn);
      const reply = await turn.next();
      if (reply && 'result' in reply) for (const token of ending) turn.seen.notes('ended').set(token, true);
      return reply;
    }),
    instead(OF_SESSIONS, ({ cred, seen }) =>
      seen.notes('ended').has(cred.token) ? no('not_authorized') : undefined,
    ),
  );

/** Go on with another cred: `complete` finds it among all sessions, the newest first. */
const completesCred = (
  which: EhrWhich,
  complete: (given: Members, newestFirst: UserSession[]) => UserSession | undefined,
) =>
  before(which, ({ call, cred, seen }) => {
    const found = complete(cred, seen.sessions.toReversed());
    return found && { ...call, cred: found };
  });

type Complete = Parameters<typeof completesCred>[1];

const byToken: Complete = ({ token }, all) => all.find((session) => session.token === token);
const withoutCred: Complete = ({ token }, [newest]) => (token === undefined ? newest : undefined);

export const cachesReads = memoised(READ, ({ call }) => call.cred);

/** Save a session of a user whose link was removed. */
export const disconnectKeepsLink = after(refused(SAVE, 'user_unknown'), (turn) =>
  turn.seen.links.has(String(turn.authInfo.user)) ? success(turn) : undefined,
);

export const leavesSessions = (isLeft: (token: string, seen: Ledger) => boolean) =>
  both(
    after(done(DISCONNECT), ({ cred, seen }) => {
      const record = seen.links.get(String(cred.user));
      const left = seen.tokensOf(cred.user).filter((token) => token !== cred.token && isLeft(token, seen));
      for (const token of record ? left : []) seen.notes<unknown>('left').set(token, record);
    }),
    instead(READ, ({ cred, seen }) => {
      const left = seen.notes<unknown>('left');
      return left.has(cred.token) ? yes(left.get(cred.token)) : undefined;
    }),
  );

/** Refuse to read with a session that authenticate has opened, until save_auth_info saves it. */
const opensNothing = instead(READ, ({ cred, seen }) => {
  const isSaved = seen.done(SAVE).some(({ authInfo }) => authInfo.token === cred.token);
  return seen.isAnnounced(cred.token) && !isSaved ? no('not_authorized') : undefined;
});

/** Let exchange tokens open that a removal ought to have ended. */
const keepsPending = (removal: (typeof REMOVALS)[number]) =>
  after(refused(AUTHENTICATE, 'exchange_token_unknown'), (turn) => {
    const pending = pendingOf(turn);
    const key = removal === LOG_OUT ? 'token' : 'user';
    const isEnded = turn.seen.done(removal).some(({ cred }) => cred[key] === pending?.[key]);
    return isEnded && !turn.seen.used.has(String(turn.params.exchangeToken)) ? success(turn) : undefined;
  });

const DAY_MS = 86_400_000;

const forgetsAfterADay = (which: EhrWhich, reason: Parameters<typeof refused>[1]) =>
  after(refused(which, reason), (turn: EhrTurn) => {
    const now = turn.parts.clock.now();
    const notes = turn.seen.notes<number>('first refusal');
    const first = notes.get(reason) ?? now;
    notes.set(reason, first);
    return now - first > DAY_MS ? success(turn) : undefined;
  });

export const sessionDefects = foundBy({
  'exchange-token-opens': [
    'authenticate-opens-nothing: authenticate links the user, and only save_auth_info opens the session',
    opensNothing,
  ],
  'no-session-no-data': [
    'token-alone-opens: get_patient looks the session up by its token, and never at its user',
    completesCred(READ, byToken),
    'newest-session-without-cred: get_patient without a cred is answered with the newest session',
    completesCred(READ, withoutCred),
  ],
  'removal-needs-session': [
    'removal-without-cred: A removal without a cred ends the newest session',
    completesCred(REMOVALS, withoutCred),
  ],
  'save-opens-linked-user': [
    'logout-removes-link: A logout removes the link of the user, too',
    before(LOG_OUT, ({ call }) => ({ ...call, method: DISCONNECT })),
  ],
  'repeated-save-refused': [
    'repeated-save-ends-session: A repeated save is refused, and ends the session',
    instead(OF_SESSIONS, ({ cred, seen }) =>
      seen.refused(SAVE, 'token_already_stored').some(({ authInfo }) => authInfo.token === cred.token)
        ? no('not_authorized')
        : undefined,
    ),
  ],
  'disconnect-removes-link': [
    'disconnect-keeps-link: remove_authentication ends the sessions, and new ones are saved as before',
    disconnectKeepsLink,
  ],
  'logout-ends-its-exchange-tokens': [
    'logout-leaves-exchange-tokens: A logout leaves the pending exchange tokens of its session alive',
    keepsPending(LOG_OUT),
  ],
  'disconnect-ends-exchange-tokens': [
    'disconnect-leaves-exchange-tokens: remove_authentication leaves the pending exchange tokens of the user alive',
    keepsPending(DISCONNECT),
  ],
  'spent-stays-spent': [
    'logout-forgotten: A clean-up forgets that a session was logged out',
    forgetsAfterADay(READ, 'not_authorized'),
  ],
  'code-of-read-without-session': [
    'no-session-as-nobody-fits: No session has the error of properties that fit nobody',
    after(refused(READ, 'not_authorized'), () => no('patient_not_matched')),
  ],
  'not-authenticated-told-apart': [
    'no-session-as-no-method: No session has the error of an unknown method',
    after(refused(ANY, 'not_authorized'), () => no('method_not_found')),
  ],
});

type IsLike = (stored: string, sent: string) => boolean;
type Fold = (token: string) => string;

/** The first forty characters: a right token is longer. */
const beginning: Fold = (token) => token.slice(0, 40);
const upTo =
  (length: number): Fold =>
  (token) =>
    token.slice(0, length);
const by =
  (fold: Fold): IsLike =>
  (stored, sent) =>
    stored !== sent && fold(stored) === fold(sent);

const findsSessionBy = (fold: Fold, which: EhrWhich) =>
  completesCred(which, ({ user, token }, all) =>
    all.find(
      (session) => session.user === user && typeof token === 'string' && fold(session.token) === fold(token),
    ),
  );

const sessionUniqueBy = (isLike: IsLike) =>
  instead(SAVE, ({ authInfo, seen }) =>
    seen.sessions.some(({ token }) => isLike(token, String(authInfo.token)))
      ? no('token_already_stored')
      : undefined,
  );

const exchangeUniqueBy = (isLike: IsLike) =>
  instead(SAVE_EXCHANGE_TOKEN, ({ params, seen }) =>
    [...seen.exchangeTokens.keys()].some((token) => isLike(token, String(params.exchangeToken)))
      ? no('exchange_token_already_stored')
      : undefined,
  );

const findsExchangeBy = (isLike: IsLike) =>
  before(AUTHENTICATE, ({ call, params: { exchangeToken }, seen }) => {
    if (typeof exchangeToken !== 'string') return undefined;
    const stored = [...seen.exchangeTokens.keys()].find((token) => isLike(token, exchangeToken));
    return stored === undefined ? undefined : withParams(call, { exchangeToken: stored });
  });

export const lookAlikeDefects = foundBy({
  'session-token-compared-in-full': [
    'session-token-by-beginning: get_patient compares the first forty characters of a session token',
    findsSessionBy(beginning, READ),
  ],
  'like-sessions-kept-apart': [
    'session-tokens-cut-to-forty: Session tokens are stored by their first forty characters',
    sessionUniqueBy(by(beginning)),
  ],
  'long-sessions-kept-apart': [
    'session-tokens-cut-to-128: Session tokens are stored by their first 128 characters',
    sessionUniqueBy(by(upTo(128))),
  ],
  'long-exchange-tokens-kept-apart': [
    'exchange-token-by-first-64: authenticate compares the first 64 characters of an exchange token',
    findsExchangeBy(by(upTo(64))),
  ],
  'like-exchange-tokens-kept-apart': [
    'exchange-tokens-cut-to-forty: Exchange tokens are stored by their first forty characters',
    exchangeUniqueBy(by(beginning)),
  ],
  'like-exchange-token-refused': [
    'exchange-token-by-beginning: authenticate compares the first forty characters of an exchange token',
    findsExchangeBy(by(beginning)),
    'exchange-token-as-pattern: An exchange token is searched by LIKE: a percent sign fits any',
    findsExchangeBy((stored, sent) => sent.endsWith('%') && stored.startsWith(sent.slice(0, -1))),
  ],
});
