/** Defects of lifetimes: the unit, the end, and whose clock counts. */
import { no, withAuthInfo } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, type EhrTurn, instead, withRules, withStore } from '../changes.ts';
import { defects } from '../defect.ts';
import { READ, SAVE } from '../methods.ts';

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

/** Begin the lifetime of a session again with each use. */
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

/** Refuse to save a session for its created. */
const refusesCreated = (isRefused: (created: unknown, now: number) => boolean) =>
  instead(SAVE, ({ authInfo, parts }) =>
    isRefused(authInfo.created, parts.clock.now()) ? no('invalid_params') : undefined,
  );

const isInFuture = (created: unknown, now: number) =>
  typeof created === 'string' && Date.parse(created) > now;

/** The created of the session that reads, as it was saved. */
const createdOf = ({ cred, seen }: EhrTurn) =>
  seen.done(SAVE).find(({ authInfo }) => authInfo.token === cred.token)?.authInfo.created;

export const timeDefects = defects({
  'minutes-as-seconds': {
    title: 'The ttl is counted in seconds where clients send minutes',
    change: withRules({ ttlUnit: 'seconds' }),
    caughtBy: 'ttl-in-minutes',
  },
  'seconds-as-minutes': {
    title: 'The ttl is counted in minutes where clients send seconds',
    change: {},
    settings: { ttlUnit: 'seconds' },
    caughtBy: 'ttl-in-seconds',
  },
  'session-five-minutes-longer': {
    title: 'A tolerance of five minutes keeps sessions alive after their end',
    change: endsAt((expiresAt) => expiresAt + 5 * MINUTE_MS),
    caughtBy: 'ttl-in-minutes',
    seenIn: ['Altinn/altinn-studio#4085'],
  },
  'session-ends-early': {
    title: 'A session ends ten seconds early',
    change: endsAt((expiresAt) => expiresAt - 10 * SECOND_MS),
    caughtBy: 'ttl-in-minutes',
  },
  'session-prolonged-by-use': {
    title: 'Each use of a session begins its lifetime again',
    change: sliding,
    caughtBy: 'ttl-in-minutes',
  },
  'session-not-valid-yet': {
    title: 'A session created ahead of the server’s clock is not valid yet',
    change: refusesCreated(isInFuture),
    caughtBy: 'created-decides-nothing',
    seenIn: ['google/exposure-notifications-server#1511'],
  },
  'lifetime-from-created': {
    title: 'The lifetime of a session is counted from its created',
    change: instead(READ, (turn) =>
      turn.parts.clock.now() > (Date.parse(String(createdOf(turn))) || NEVER) + MINUTE_MS
        ? no('session_expired')
        : undefined,
    ),
    caughtBy: 'created-decides-nothing',
  },
  'created-as-number-refused': {
    title: 'A created that is a number is refused',
    change: refusesCreated((created) => typeof created === 'number'),
    caughtBy: 'created-decides-nothing',
  },
  'created-in-number-not-valid-yet': {
    title: 'A session whose created is a number ahead of the server’s clock is refused',
    change: refusesCreated((created, now) => Number(created) > now),
    caughtBy: 'created-decides-nothing',
  },
  'session-to-the-next-second': {
    title: 'The end of a session is compared in whole seconds, and comes later',
    change: endsAt((expiresAt) => Math.floor(expiresAt / SECOND_MS) * SECOND_MS + SECOND_MS),
    caughtBy: 'over-at-the-instant',
  },
  'session-half-a-second-longer': {
    title: 'A tolerance of half a second keeps sessions alive after their end',
    change: endsAt((expiresAt) => expiresAt + SECOND_MS / 2),
    caughtBy: 'over-at-the-instant',
  },
  'created-prolongs': {
    title: 'A created in the future prolongs a session',
    change: before(SAVE, ({ call, authInfo, parts }) =>
      isInFuture(authInfo.created, parts.clock.now()) ? withAuthInfo(call, { ttl: 1_000 }) : undefined,
    ),
    caughtBy: 'created-prolongs-nothing',
  },
});
