/** Changes of what an EHR server does with sessions. Several lists of defects use them. */
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { Ledger, UserSession } from '../../../../engine/defects/ledger.ts';
import { done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  after,
  around,
  before,
  both,
  type EhrTurn,
  type EhrWhich,
  instead,
  internalCred,
  memoised,
  pendingOf,
  success,
} from '../changes.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, OF_SESSIONS, READ, type REMOVALS, SAVE } from '../methods.ts';

/** End further sessions, given by their tokens, together with a call that succeeds. */
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

/**
 * Take a wrong cred: find a session for it among those that the server saw, and go on with the cred of that
 * session.
 * @param complete is given the sent cred and all sessions, the newest first; undefined: the cred stays as it
 * was
 */
export const completesCred = (
  which: EhrWhich,
  complete: (given: Members, newestFirst: UserSession[]) => UserSession | undefined,
) =>
  before(which, ({ call, cred, seen }) => {
    const found = complete(cred, seen.sessions.toReversed());
    return found && { ...call, cred: found };
  });

/**
 * Ways to find a session for a wrong cred: by the user alone, by the token alone, and the newest for no
 * token.
 */
type Complete = Parameters<typeof completesCred>[1];

export const byName: Complete = ({ user }, all) => all.find((session) => session.user === user);
export const byToken: Complete = ({ token }, all) => all.find((session) => session.token === token);
export const withoutCred: Complete = ({ token }, [newest]) => (token === undefined ? newest : undefined);

/** Answer a read from a cache by its cred, which nothing clears. */
export const cachesReads = memoised(READ, ({ call }) => call.cred);

/** Whether the session token of a save has been logged out before. */
export function isLoggedOut({ authInfo, seen }: EhrTurn): boolean {
  return seen.done(LOG_OUT).some(({ cred }) => cred.token === authInfo.token);
}

/** Save a session of a user whose link was removed, where a right server does not know the user any more. */
export const disconnectKeepsLink = after(refused(SAVE, 'user_unknown'), (turn) =>
  turn.seen.links.has(String(turn.authInfo.user)) ? success(turn) : undefined,
);

/** Let those sessions of a user that `isLeft` picks by their tokens go on reading after the disconnection. */
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

/**
 * Refuse to read with a session that authenticate has opened, until save_auth_info saves it. A session is
 * announced when an exchange token is saved for it.
 */
export const opensNothing = instead(READ, ({ cred, seen }) => {
  const isSaved = seen.done(SAVE).some(({ authInfo }) => authInfo.token === cred.token);
  return seen.isAnnounced(cred.token) && !isSaved ? no('not_authorized') : undefined;
});

/**
 * Remember every user_sign that was given out, and take a save whose digest is over one of those that `fits`
 * picks.
 * @param fits is given the reply with the user_sign, and the id of the patient to whom the user is linked now
 */
export const takesSignsOf = (fits: (result: Members, patientId: string) => boolean): EhrChange =>
  before(SAVE, async ({ call, cred, authInfo, parts, seen }) => {
    const link = await parts.store.findLink(String(authInfo.user));
    if (!link) return undefined;
    const known = seen.calls.filter(({ result }) => 'userSign' in result && fits(result, link.patientId));
    const isTaken = known.some(
      ({ result }) => cred.token === digest(parts.rules.internalPassword, String(result.userSign)),
    );
    return isTaken ? { ...call, cred: internalCred(parts, link.userSign) } : undefined;
  });

/**
 * Let exchange tokens open that a removal ought to have ended: a logout ends those of its session, a
 * disconnection those of its user.
 */
export const keepsPending = (removal: (typeof REMOVALS)[number]) =>
  after(refused(AUTHENTICATE, 'exchange_token_unknown'), (turn) => {
    const pending = pendingOf(turn);
    const key = removal === LOG_OUT ? 'token' : 'user';
    const isEnded = turn.seen.done(removal).some(({ cred }) => cred[key] === pending?.[key]);
    return isEnded && !turn.seen.used.has(String(turn.params.exchangeToken)) ? success(turn) : undefined;
  });
