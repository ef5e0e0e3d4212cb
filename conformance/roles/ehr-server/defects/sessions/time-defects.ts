/**
 * Defects of an EHR server about lifetimes: their unit and end, whose clock counts, and what lengthens a
 * session. A key of the table is the check that must find the defects below it. A text `id: title` begins a
 * defect; its change follows, then `owner/repo#number` of a public system that had it.
 */

import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { refused } from '../../../../engine/defects/operators.ts';
import { no, withAuthInfo, yes } from '../../../../engine/defects/rpc-call.ts';
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
import { AUTHENTICATE, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

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

/** The member `created` with which the session of this read was saved; undefined: it had none. */
const createdOf = ({ cred, seen }: EhrTurn) =>
  seen.done(SAVE).find(({ authInfo }) => authInfo.token === cred.token)?.authInfo.created;

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

/** Refuse a call about a session that was saved before, as if its token were taken. */
const refusesLive = (which: EhrWhich) =>
  instead(which, (turn) => {
    const token = pendingOf(turn)?.token ?? turn.authInfo.token;
    const isAlive = turn.seen.done(SAVE).some(({ authInfo }) => authInfo.token === token);
    return isAlive ? no('token_already_stored') : undefined;
  });

export const timeDefects = foundBy({
  'ttl-in-minutes': [
    'minutes-as-seconds: The ttl is counted in seconds where clients send minutes',
    withRules({ ttlUnit: 'seconds' }),
    'session-five-minutes-longer: A tolerance of five minutes keeps sessions alive after their end',
    endsAt((expiresAt) => expiresAt + 5 * MINUTE_MS),
    'Altinn/altinn-studio#4085',
    'session-ends-early: A session ends ten seconds early',
    endsAt((expiresAt) => expiresAt - 10 * SECOND_MS),
    'session-prolonged-by-use: Each use of a session begins its lifetime again',
    sliding,
  ],
  'ttl-in-seconds': [
    'seconds-as-minutes: The ttl is counted in minutes where clients send seconds',
    { settings: { ttlUnit: 'seconds' } },
  ],
  'created-decides-nothing': [
    'lifetime-from-created: The lifetime of a session is counted from its created',
    instead(READ, (turn) =>
      turn.parts.clock.now() > (Date.parse(String(createdOf(turn))) || NEVER) + MINUTE_MS
        ? no('session_expired')
        : undefined,
    ),
  ],
  'created-accepted': [
    'session-not-valid-yet: A session created ahead of the server’s clock is not valid yet',
    refusesCreated(isInFuture),
    'google/exposure-notifications-server#1511',
    'created-as-number-refused: A created that is a number is refused',
    refusesCreated((created) => typeof created === 'number'),
    'created-in-number-not-valid-yet: A session whose created is a number ahead of the server’s clock is refused',
    refusesCreated((created, now) => Number(created) > now),
  ],
  'over-at-the-instant': [
    'session-to-the-next-second: The end of a session is compared in whole seconds, and comes later',
    endsAt((expiresAt) => Math.floor(expiresAt / SECOND_MS) * SECOND_MS + SECOND_MS),
    'session-half-a-second-longer: A tolerance of half a second keeps sessions alive after their end',
    endsAt((expiresAt) => expiresAt + SECOND_MS / 2),
  ],
  'created-prolongs-nothing': [
    'created-prolongs: A created in the future prolongs a session',
    before(SAVE, ({ call, authInfo, parts }) =>
      isInFuture(authInfo.created, parts.clock.now()) ? withAuthInfo(call, { ttl: 1_000 }) : undefined,
    ),
  ],
  'live-session-announced': [
    'live-session-not-announced: save_exchange_token is refused for a session that is alive',
    refusesLive(SAVE_EXCHANGE_TOKEN),
    'live-session-not-authenticated: authenticate is refused where its session is alive already',
    refusesLive(AUTHENTICATE),
  ],
  'expired-session-not-revived': [
    'revived-by-save: A repeated save is refused, and begins the lifetime of the session again',
    revivedBy(SAVE, isOfCall),
    'revived-by-sign-in: A sign-in on another device begins the lifetimes of all sessions again',
    revivedBy(AUTHENTICATE, (turn, { user }) => pendingOf(turn)?.user === user),
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
  'live-session-keeps-its-end': [
    'lengthened-by-announcement: An exchange token for a live session lengthens it',
    revivedBy(SAVE_EXCHANGE_TOKEN, isOfCall),
    'ttl-from-announcement: The lifetime of a session begins when its exchange token is saved',
    both(
      before(SAVE_EXCHANGE_TOKEN, ({ authInfo, parts, seen }) => {
        seen.first('ends', authInfo.token, parts.clock.now() + Number(authInfo.ttl) * MINUTE_MS);
      }),
      instead(READ, ({ cred, parts, seen }) => {
        const end = seen.notes<number>('ends').get(cred.token) ?? Number.POSITIVE_INFINITY;
        return parts.clock.now() >= end ? no('session_expired') : undefined;
      }),
    ),
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
