/** Defects that lengthen a session, or bring an expired one back. */
import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { refused } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import { after, before, both, type EhrTurn, type EhrWhich, instead, pendingOf, success } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

const MINUTE_MS = 60_000;
const MAX_TIMER_MINUTES = 35_791;

/** Serve expired sessions that were noted as revived. */
const readsRevived = after(refused(READ, 'session_expired'), ({ cred, seen }) => {
  const record = seen.links.get(String(cred.user));
  return seen.notes('revived').has(cred.token) && record ? yes(record) : undefined;
});

/** Serve expired sessions that a call brings back. */
const revivedBy = (which: EhrWhich, isRevived: (turn: EhrTurn, session: UserSession) => boolean) =>
  both(
    readsRevived,
    before(which, (turn) => {
      for (const session of turn.seen.sessions)
        if (isRevived(turn, session)) turn.seen.notes('revived').set(session.token, true);
    }),
  );

const isOfCall = ({ authInfo }: EhrTurn, { token }: UserSession) => authInfo.token === token;

/** Refuse a call about a session that was saved and is alive. */
const refusesLive = (which: EhrWhich) =>
  instead(which, (turn) => {
    const token = pendingOf(turn)?.token ?? turn.authInfo.token;
    const isAlive = turn.seen.done(SAVE).some(({ authInfo }) => authInfo.token === token);
    return isAlive ? no('token_already_stored') : undefined;
  });

export const lifetimeDefects = defects({
  'live-session-not-announced': {
    title: 'save_exchange_token is refused for a session that is alive',
    change: refusesLive(SAVE_EXCHANGE_TOKEN),
    caughtBy: 'live-session-announced',
  },
  'live-session-not-authenticated': {
    title: 'authenticate is refused where its session is alive already',
    change: refusesLive(AUTHENTICATE),
    caughtBy: 'live-session-announced',
  },
  'revived-by-save': {
    title: 'A repeated save is refused, and begins the lifetime of the session again',
    change: revivedBy(SAVE, isOfCall),
    caughtBy: 'expired-session-not-revived',
  },
  'revived-by-sign-in': {
    title: 'A sign-in on another device begins the lifetimes of all sessions again',
    change: revivedBy(AUTHENTICATE, (turn, { user }) => pendingOf(turn)?.user === user),
    caughtBy: 'expired-session-not-revived',
  },
  'revived-by-exchange-token': {
    title: 'An exchange token of before opens the expired session again',
    change: both(
      readsRevived,
      after(refused(AUTHENTICATE, 'token_already_stored'), (turn) => {
        turn.seen.notes('revived').set(pendingOf(turn)?.token, true);
        return success(turn);
      }),
    ),
    caughtBy: 'expired-session-not-revived',
  },
  'lengthened-by-repeat': {
    title: 'A repeated save of a live session is refused, and takes its ttl',
    change: revivedBy(SAVE, (turn, session) => isOfCall(turn, session) && Number(turn.authInfo.ttl) > 1),
    caughtBy: 'session-not-lengthened',
  },
  'lengthened-by-announcement': {
    title: 'An exchange token for a live session lengthens it',
    change: revivedBy(SAVE_EXCHANGE_TOKEN, isOfCall),
    caughtBy: 'session-not-lengthened',
  },
  'ttl-from-announcement': {
    title: 'The lifetime of a session begins when its exchange token is saved',
    change: both(
      before(SAVE_EXCHANGE_TOKEN, ({ authInfo, parts, seen }) => {
        seen.first('ends', authInfo.token, parts.clock.now() + Number(authInfo.ttl) * MINUTE_MS);
      }),
      instead(READ, ({ cred, parts, seen }) => {
        const end = seen.notes<number>('ends').get(cred.token) ?? Number.POSITIVE_INFINITY;
        return parts.clock.now() >= end ? no('session_expired') : undefined;
      }),
    ),
    caughtBy: 'session-not-lengthened',
  },
  'ttl-by-timer': {
    title: 'A timer ends a session, at once if the ttl exceeds 24 days',
    change: instead(READ, ({ cred, seen }) =>
      seen
        .done(SAVE)
        .some(({ authInfo }) => authInfo.token === cred.token && Number(authInfo.ttl) > MAX_TIMER_MINUTES)
        ? no('session_expired')
        : undefined,
    ),
    caughtBy: 'ttl-of-weeks',
  },
});
