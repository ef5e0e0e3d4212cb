/** Defects of an EHR server in how a session is opened, found, saved and ended, also at the same moment. */
import type { Ledger, UserSession } from '../../../../engine/defects/ledger.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import {
  inEnvelope,
  type Members,
  no,
  type RpcCall,
  replyIdOf,
  withParams,
  yes,
} from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  aMoment,
  around,
  before,
  both,
  DISCONNECT,
  type EhrTurn,
  type EhrWhich,
  foundBy,
  instead,
  joined,
  LOG_OUT,
  memoised,
  OF_SESSIONS,
  pendingOf,
  READ,
  REMOVALS,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  saysYes,
  success,
  withStore,
} from '../changes.ts';
import { bodyOf } from '../messages/message-defects.ts';

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
const disconnectKeepsLink = after(refused(SAVE, 'user_unknown'), (turn) =>
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

/** Failed matches that a right server allows with one exchange token. */
const MAX_FAILURES = 5;

const countsTimes = (times: number): EhrChange =>
  withStore((store) => ({
    async countFailure(attempt) {
      const first = await store.countFailure(attempt);
      for (let more = 1; more < times; more++) await store.countFailure(attempt);
      return first;
    },
  }));

export const stateDefects = foundBy({
  'follows-state-table': [
    'state-any-signature-saves: A session is saved with the signature of anybody',
    saysYes(SAVE, 'not_authorized'),
    'state-session-without-end: An expired session goes on reading',
    saysYes(READ, 'session_expired'),
    'state-link-outlives-removal: Sessions are saved for a link that was removed',
    disconnectKeepsLink,
    'state-expired-token-saved: The token of an expired session is saved again',
    after(refused(SAVE, 'token_already_stored'), (turn) =>
      turn.seen.refused(READ, 'session_expired').some(({ cred }) => cred.token === turn.authInfo.token)
        ? success(turn)
        : undefined,
    ),
  ],
  'state-table-refuses-within': [
    'state-one-attempt-alone: The first failed match uses up the exchange token',
    countsTimes(MAX_FAILURES),
  ],
  'state-table-codes': [
    'nobody-fits-as-no-session: Properties that fit nobody have the error of no session',
    after(refused(AUTHENTICATE, 'patient_not_matched'), () => no('not_authorized')),
  ],
});

const countsLate = around(AUTHENTICATE, async ({ params, parts, seen, next }) => {
  const attempts = seen.notes<number>('attempts');
  const count = attempts.get(params.exchangeToken) ?? 0;
  await aMoment(parts);
  attempts.set(params.exchangeToken, count + 1);
  return count < MAX_FAILURES ? no('patient_not_matched') : next();
});

const countsBatchesOnce: EhrChange = {
  pipeline: (pipeline) => async (text, channel) => {
    const body = bodyOf(text);
    const calls = Array.isArray(body) ? (body as RpcCall[]) : [];
    if (calls[0]?.method !== AUTHENTICATE) return pipeline(text, channel);
    await pipeline(JSON.stringify(calls[0]), channel);
    return {
      body: JSON.stringify(calls.map((call) => inEnvelope(no('patient_not_matched'), replyIdOf(call)))),
    };
  },
};

export const raceDefects = foundBy({
  'exchange-token-opened-once-at-once': [
    'exchange-token-redeemed-twice: One exchange token opens as often as it is used at the same moment',
    joined(AUTHENTICATE, ({ params }) => params.exchangeToken),
  ],
  'token-stored-once-at-once': [
    'token-stored-by-several: One session token is stored as often as it comes at the same moment',
    joined(SAVE, ({ authInfo }) => authInfo.token),
  ],
  'guesses-counted-at-once': [
    'guesses-counted-late: Failures of an exchange token at the same moment are counted as one',
    countsLate,
  ],
  'guesses-counted-in-batch': [
    'guesses-of-batch-counted-once: Failures of an exchange token in one batch are counted as one',
    countsBatchesOnce,
  ],
});
