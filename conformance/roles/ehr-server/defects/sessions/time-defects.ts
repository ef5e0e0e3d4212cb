/**
 * Defects of an EHR server about lifetimes: their unit and end, whose clock counts, and what lengthens a
 * session. A key of the table is the check that must find the defects below it. A text `id: title` begins a
 * defect; its change follows.
 */

import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { refused } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  after,
  before,
  both,
  type EhrTurn,
  type EhrWhich,
  instead,
  pendingOf,
  success,
  withRules,
  withStore,
} from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, READ, SAVE } from '../methods.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Move the end of every session. */
const endsAt = (change: (expiresAt: number) => number): EhrChange =>
  withStore((store) => ({
    async findSession(tokenHash) {
      const session = await store.findSession(tokenHash);
      return session && { ...session, expiresAt: change(session.expiresAt) };
    },
  }));

/** Begin the lifetime of a session again with each use: it then ends a minute after the last use. */
const sliding = withStore((store, { clock, seen }) => ({
  async findSession(tokenHash) {
    const session = await store.findSession(tokenHash);
    if (!session) return undefined;
    const ends = seen.notes<number>('ends');
    const now = clock.now();
    if (now >= (ends.get(String(tokenHash)) ?? session.expiresAt)) return session;
    ends.set(String(tokenHash), now + MINUTE_MS);
    return { ...session, expiresAt: now + MINUTE_MS };
  },
}));

/** Refuse to save a session whose member `created` is of a certain kind. */
const refusesCreated = (isRefused: (created: unknown, now: number) => boolean) =>
  instead(SAVE, ({ authInfo, parts }) =>
    isRefused(authInfo.created, parts.clock.now()) ? no('invalid_params') : undefined,
  );

const isInFuture = (created: unknown, now: number) =>
  typeof created === 'string' && Date.parse(created) > now;

/** Timers of some languages take 2^31 - 1 milliseconds at most; these are so many minutes. */
const MAX_TIMER_MINUTES = 35_791;

/** Serve a read with an expired session whose token is in the notes `revived`. */
const readsRevived = after(refused(READ, 'session_expired'), ({ cred, seen }) => {
  const record = seen.links.get(String(cred.user));
  return seen.notes('revived').has(cred.token) && record ? yes(record) : undefined;
});

/**
 * Note as revived the sessions that `isRevived` chooses at a call, and serve their reads after they expired.
 */
const revivedBy = (which: EhrWhich, isRevived: (turn: EhrTurn, session: UserSession) => boolean) =>
  both(
    readsRevived,
    before(which, (turn) => {
      for (const session of turn.seen.sessions)
        if (isRevived(turn, session)) turn.seen.notes('revived').set(session.token, true);
    }),
  );

const isOfCall = ({ authInfo }: EhrTurn, { token }: UserSession) => authInfo.token === token;

export const timeDefects = foundBy({
  'ttl-in-minutes': [
    'minutes-as-seconds: The ttl is counted in seconds where clients send minutes',
    withRules({ ttlUnit: 'seconds' }),
    'session-prolonged-by-use: Each use of a session begins its lifetime again',
    sliding,
  ],
  'ttl-in-seconds': [
    'seconds-as-minutes: The ttl is counted in minutes where clients send seconds',
    { settings: { ttlUnit: 'seconds' } },
  ],
  'created-accepted': [
    'session-not-valid-yet: A session created ahead of the server’s clock is not valid yet',
    refusesCreated(isInFuture),
  ],
  'over-at-the-instant': [
    'session-to-the-next-second: The end of a session is compared in whole seconds, and comes later',
    endsAt((expiresAt) => Math.floor(expiresAt / SECOND_MS) * SECOND_MS + SECOND_MS),
  ],
  'expired-session-not-revived': [
    'revived-by-save: A repeated save is refused, and begins the lifetime of the session again',
    revivedBy(SAVE, isOfCall),
  ],
  'expired-session-stays-over': [
    'revived-by-exchange-token: An exchange token of before opens the expired session again',
    both(
      readsRevived,
      after(refused(AUTHENTICATE, 'token_already_stored'), (turn) => {
        turn.seen.notes('revived').set(pendingOf(turn)?.token, true);
        return success(turn);
      }),
    ),
  ],
  'session-not-lengthened': [
    'lengthened-by-repeat: A repeated save of a live session is refused, and takes its ttl',
    revivedBy(SAVE, (turn, session) => isOfCall(turn, session) && Number(turn.authInfo.ttl) > 1),
  ],
  'ttl-of-weeks': [
    'ttl-by-timer: A timer ends a session, at once if the ttl exceeds 24 days',
    instead(READ, ({ cred, seen }) =>
      seen
        .done(SAVE)
        .some(({ authInfo }) => authInfo.token === cred.token && Number(authInfo.ttl) > MAX_TIMER_MINUTES)
        ? no('session_expired')
        : undefined,
    ),
  ],
});
