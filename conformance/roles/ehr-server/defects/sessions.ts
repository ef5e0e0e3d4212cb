/**
 * Defects of an EHR server in how a session is opened, found, saved and ended, also at the same moment. A row
 * names first the check that must find the defect, then the defect.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Ledger, UserSession } from '../../../engine/defects/ledger.ts';
import { ANY, done, refused } from '../../../engine/defects/operators.ts';
import {
  inEnvelope,
  type Members,
  no,
  type RpcCall,
  replyIdOf,
  withParams,
  yes,
} from '../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../self-test/serve.ts';
import { jsonIn } from '../world/messages.ts';
import {
  AUTHENTICATE,
  acceptsRefused,
  after,
  aMoment,
  around,
  asOneCall,
  before,
  both,
  cached,
  DISCONNECT,
  defect,
  type EhrTurn,
  type EhrWhich,
  instead,
  LOG_OUT,
  OF_SESSIONS,
  pendingOf,
  READ,
  REMOVALS,
  refuses,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  withStore,
} from './changes.ts';
import { byRequest } from './message-changes.ts';

/** After a success of these calls, refuse the further `tokens`, whose sessions the right server keeps. */
export const endsFurther = (which: EhrWhich, tokens: (turn: EhrTurn) => readonly string[]) =>
  both(
    around(which, async (turn) => {
      const ending = tokens(turn);
      const reply = await turn.next();
      if (reply && 'result' in reply) for (const token of ending) turn.seen.notes('ended').set(token, true);
      return reply;
    }),
    refuses(OF_SESSIONS, 'not_authorized', ({ cred, seen }) => seen.notes('ended').has(cred.token)),
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

const withoutCred: Complete = ({ token }, [newest]) => (token === undefined ? newest : undefined);

const ofEnded: Complete = ({ user, token }, newestFirst) =>
  newestFirst.some((each) => each.token === token)
    ? newestFirst.find((each) => each.user === user)
    : undefined;

export const cachesReads = cached(READ, ({ call }) => call.cred);

/** Save a session of a user whose link was removed. */
const disconnectKeepsLink = acceptsRefused(SAVE, 'user_unknown', ({ seen, authInfo }) =>
  seen.links.has(String(authInfo.user)),
);

/** After a disconnection, let other sessions of the user read, as far as `isLeft` says so. */
export const leavesSessions = (isLeft: (token: string, seen: Ledger) => boolean) =>
  both(
    after(done(DISCONNECT), ({ cred, seen }) => {
      const record = seen.links.get(String(cred.user));
      const left = seen.tokensOf(cred.user).filter((token) => token !== cred.token && isLeft(token, seen));
      for (const token of record ? left : []) seen.notes<unknown>('left').set(token, record);
    }),
    instead(READ, ({ cred, seen }) => {
      const left = seen.notes<unknown>('left');
      return left.has(cred.token) && yes(left.get(cred.token));
    }),
  );

/** Let exchange tokens open that a removal ought to have ended. */
const keepsPending = (removal: (typeof REMOVALS)[number]) =>
  acceptsRefused(AUTHENTICATE, 'exchange_token_unknown', (turn) => {
    const pending = pendingOf(turn);
    const key = removal === LOG_OUT ? 'token' : 'user';
    const isEnded = turn.seen.done(removal).some(({ cred }) => cred[key] === pending?.[key]);
    return isEnded && !turn.seen.used.has(String(turn.params.exchangeToken));
  });

const DAY_MS = 86_400_000;

/** A call without a cred takes that of the call before on its connection. */
function keepsCred(): EhrChange {
  const creds = new WeakMap<object, unknown>();
  return byRequest((call, { socket }) => {
    if (isObject(call.cred)) creds.set(socket, call.cred);
    return { ...call, cred: call.cred ?? creds.get(socket) };
  });
}

type IsLike = (stored: string, sent: string) => boolean;

const alike =
  (length: number): IsLike =>
  (stored, sent) =>
    stored !== sent && stored.slice(0, length) === sent.slice(0, length);

const sessionUniqueBy = (length: number) =>
  refuses(SAVE, 'token_already_stored', ({ authInfo, seen }) =>
    seen.sessions.some(({ token }) => alike(length)(token, String(authInfo.token))),
  );

const findsExchangeBy = (isLike: IsLike) =>
  before(AUTHENTICATE, ({ call, params: { exchangeToken }, seen }) => {
    if (typeof exchangeToken !== 'string') return undefined;
    const stored = [...seen.exchangeTokens.keys()].find((token) => isLike(token, exchangeToken));
    return stored !== undefined && withParams(call, { exchangeToken: stored });
  });

/** Failed matches that a right server allows with one exchange token. */
const MAX_FAILURES = 5;

export const sessionDefects = [
  defect('exchange-token-opens', 'authenticate-opens-nothing', {
    title: 'authenticate links the user, and only save_auth_info opens the session',
    ...refuses(READ, 'not_authorized', ({ cred: { token }, seen }) => {
      const isSaved = seen.done(SAVE).some(({ authInfo }) => authInfo.token === token);
      return seen.isAnnounced(token) && !isSaved;
    }),
  }),
  defect('no-session-no-data', 'token-alone-opens', {
    title: 'get_patient looks the session up by its token, and never at its user',
    ...completesCred(READ, ({ token }, all) => all.find((session) => session.token === token)),
  }),
  defect('no-session-no-data', 'newest-session-without-cred', {
    title: 'get_patient without a cred is answered with the newest session',
    ...completesCred(READ, withoutCred),
  }),
  defect('no-session-no-data', 'cred-kept-by-connection', {
    title: 'A call without a cred takes that of the call before on its connection',
    ...keepsCred(),
  }),
  defect('removal-needs-session', 'removal-without-cred', {
    title: 'A removal without a cred ends the newest session',
    ...completesCred(REMOVALS, withoutCred),
  }),
  defect('removal-needs-session', 'ended-session-disconnects', {
    title: 'A disconnection by an ended session removes the link that its user has now',
    ...completesCred(DISCONNECT, ofEnded),
  }),
  defect('save-opens-linked-user', 'logout-removes-link', {
    title: 'A logout removes the link of the user, too',
    ...before(LOG_OUT, ({ call }) => ({ ...call, method: DISCONNECT })),
  }),
  defect('repeated-save-refused', 'repeated-save-ends-session', {
    title: 'A repeated save is refused, and ends the session',
    ...refuses(OF_SESSIONS, 'not_authorized', ({ cred, seen }) =>
      seen.refused(SAVE, 'token_already_stored').some(({ authInfo }) => authInfo.token === cred.token),
    ),
  }),
  defect('repeated-save-refused', 'repeated-save-adds-row', {
    title: 'A repeated save is refused and adds a row, of which the next logout removes one',
    ...instead(LOG_OUT, ({ cred, seen }) => {
      const repeats = seen.refused(SAVE, 'token_already_stored');
      const isRepeated = repeats.some(({ authInfo }) => authInfo.token === cred.token);
      return isRepeated && seen.countUp('logouts', cred.token) === 1 && yes();
    }),
  }),
  defect('disconnect-removes-link', 'disconnect-keeps-link', {
    title: 'remove_authentication ends the sessions, and new ones are saved as before',
    ...disconnectKeepsLink,
  }),
  defect('logout-ends-its-exchange-tokens', 'logout-leaves-exchange-tokens', {
    title: 'A logout leaves the pending exchange tokens of its session alive',
    ...keepsPending(LOG_OUT),
  }),
  defect('disconnect-ends-exchange-tokens', 'disconnect-leaves-exchange-tokens', {
    title: 'remove_authentication leaves the pending exchange tokens of the user alive',
    ...keepsPending(DISCONNECT),
  }),
  defect('spent-stays-spent', 'logout-forgotten', {
    title: 'A clean-up forgets that a session was logged out',
    ...acceptsRefused(READ, 'not_authorized', ({ parts, seen }) => {
      const now = parts.clock.now();
      return now - seen.noteFirst('first refusal', '', now) > DAY_MS;
    }),
  }),
  defect('code-of-read-without-session', 'no-session-as-nobody-fits', {
    title: 'No session has the error of properties that fit nobody',
    ...after(refused(READ, 'not_authorized'), () => no('patient_not_matched')),
  }),
  defect('not-authenticated-told-apart', 'no-session-as-no-method', {
    title: 'No session has the error of an unknown method',
    ...after(refused(ANY, 'not_authorized'), () => no('method_not_found')),
  }),
  defect('session-token-compared-in-full', 'session-token-by-beginning', {
    title: 'get_patient compares the first forty characters of a session token',
    ...completesCred(READ, ({ user, token }, all) => {
      const isLike = (stored: string) =>
        typeof token === 'string' && stored.slice(0, 40) === token.slice(0, 40);
      return all.find((session) => session.user === user && isLike(session.token));
    }),
  }),
  defect('like-sessions-kept-apart', 'session-tokens-cut-to-forty', {
    title: 'Session tokens are stored by their first forty characters',
    ...sessionUniqueBy(40),
  }),
  defect('long-sessions-kept-apart', 'session-tokens-cut-to-128', {
    title: 'Session tokens are stored by their first 128 characters',
    ...sessionUniqueBy(128),
  }),
  defect('long-exchange-tokens-kept-apart', 'exchange-token-by-first-64', {
    title: 'authenticate compares the first 64 characters of an exchange token',
    ...findsExchangeBy(alike(64)),
  }),
  defect('like-exchange-tokens-kept-apart', 'exchange-tokens-cut-to-forty', {
    title: 'Exchange tokens are stored by their first forty characters',
    ...refuses(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored', ({ params, seen }) =>
      [...seen.exchangeTokens.keys()].some((token) => alike(40)(token, String(params.exchangeToken))),
    ),
  }),
  defect('like-exchange-token-refused', 'exchange-token-by-beginning', {
    title: 'authenticate compares the first forty characters of an exchange token',
    ...findsExchangeBy(alike(40)),
  }),
  defect('like-exchange-token-refused', 'exchange-token-as-pattern', {
    title: 'An exchange token is searched by LIKE: a percent sign fits any',
    ...findsExchangeBy((stored, sent) => sent.endsWith('%') && stored.startsWith(sent.slice(0, -1))),
  }),
  defect('follows-state-table', 'state-any-signature-saves', {
    title: 'A session is saved with the signature of anybody',
    ...acceptsRefused(SAVE, 'not_authorized'),
  }),
  defect('follows-state-table', 'state-session-without-end', {
    title: 'An expired session goes on reading',
    ...acceptsRefused(READ, 'session_expired'),
  }),
  defect('follows-state-table', 'state-link-outlives-removal', {
    title: 'Sessions are saved for a link that was removed',
    ...disconnectKeepsLink,
  }),
  defect('follows-state-table', 'state-expired-token-saved', {
    title: 'The token of an expired session is saved again',
    ...acceptsRefused(SAVE, 'token_already_stored', ({ seen, authInfo }) =>
      seen.refused(READ, 'session_expired').some(({ cred }) => cred.token === authInfo.token),
    ),
  }),
  defect('state-table-refuses-within', 'state-one-attempt-alone', {
    title: 'The first failed match uses up the exchange token',
    ...withStore((store) => ({
      async countFailure(attempt) {
        const first = await store.countFailure(attempt);
        for (let more = 1; more < MAX_FAILURES; more++) await store.countFailure(attempt);
        return first;
      },
    })),
  }),
  defect('state-table-codes', 'nobody-fits-as-no-session', {
    title: 'Properties that fit nobody have the error of no session',
    ...after(refused(AUTHENTICATE, 'patient_not_matched'), () => no('not_authorized')),
  }),
  defect('exchange-token-opened-once-at-once', 'exchange-token-redeemed-twice', {
    title: 'One exchange token opens as often as it is used at the same moment',
    ...asOneCall(AUTHENTICATE, ({ params }) => params.exchangeToken),
  }),
  defect('token-stored-once-at-once', 'token-stored-by-several', {
    title: 'One session token is stored as often as it comes at the same moment',
    ...asOneCall(SAVE, ({ authInfo }) => authInfo.token),
  }),
  defect('sessions-saved-at-once-kept', 'session-list-overwritten', {
    title: 'Of two sessions of a user that are saved at the same moment one is lost',
    ...both(
      around(SAVE, async ({ authInfo: { user, token }, parts, seen, next }) => {
        const lists = seen.notes<readonly unknown[]>('lists');
        const known = lists.get(user) ?? [];
        await aMoment(parts);
        lists.set(user, [...known, token]);
        return next();
      }),
      refuses(READ, 'not_authorized', ({ cred, seen }) => {
        const isSaved = seen.done(SAVE).some(({ authInfo }) => authInfo.token === cred.token);
        return isSaved && !seen.notes<readonly unknown[]>('lists').get(cred.user)?.includes(cred.token);
      }),
    ),
  }),
  defect('guesses-counted-at-once', 'guesses-counted-late', {
    title: 'Failures of an exchange token at the same moment are counted as one',
    ...around(AUTHENTICATE, async ({ params, parts, seen, next }) => {
      const attempts = seen.notes<number>('attempts');
      const count = attempts.get(params.exchangeToken) ?? 0;
      await aMoment(parts);
      attempts.set(params.exchangeToken, count + 1);
      return count < MAX_FAILURES ? no('patient_not_matched') : next();
    }),
  }),
  defect('guesses-counted-in-batch', 'guesses-of-batch-counted-once', {
    title: 'Failures of an exchange token in one batch are counted as one',
    pipeline: (pipeline) => async (text, channel) => {
      const body = jsonIn(text);
      const calls = Array.isArray(body) ? (body as RpcCall[]) : [];
      if (calls[0]?.method !== AUTHENTICATE) return pipeline(text, channel);
      await pipeline(JSON.stringify(calls[0]), channel);
      const replies = calls.map((call) => inEnvelope(no('patient_not_matched'), replyIdOf(call)));
      return { body: JSON.stringify(replies) };
    },
  }),
];
