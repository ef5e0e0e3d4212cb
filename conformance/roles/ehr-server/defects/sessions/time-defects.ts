/** Defects of an EHR server in lifetimes, reads at an ending and restarts, which lose notes of the ledger. */
import type { TokenHash } from '#ehr-server/store/store.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { done, refused } from '../../../../engine/defects/operators.ts';
import { isDone, type Members, no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  aMoment,
  around,
  before,
  both,
  type EhrTurn,
  type EhrWhich,
  forgets,
  foundBy,
  instead,
  LOG_OUT,
  pendingOf,
  READ,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  sessionOfHash,
  success,
  withRules,
  withStore,
} from '../changes.ts';
import { cachesReads } from './session-defects.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

const endsAt = (change: (expiresAt: number) => number): EhrChange =>
  withStore((store) => ({
    async findSession(tokenHash) {
      const session = await store.findSession(tokenHash);
      return session && { ...session, expiresAt: change(session.expiresAt) };
    },
  }));

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

const refusesCreated = (isRefused: (created: unknown, now: number) => boolean) =>
  instead(SAVE, ({ authInfo, parts }) =>
    isRefused(authInfo.created, parts.clock.now()) ? no('invalid_params') : undefined,
  );

const isInFuture = (created: unknown, now: number) =>
  typeof created === 'string' && Date.parse(created) > now;

/** Timers of some languages take 2^31 - 1 milliseconds at most; these are so many minutes. */
const MAX_TIMER_MINUTES = 35_791;

const readsRevived = after(refused(READ, 'session_expired'), ({ cred, seen }) => {
  const record = seen.links.get(String(cred.user));
  return seen.notes('revived').has(cred.token) && record ? yes(record) : undefined;
});

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

/** Longer (ms) than a disconnection and a new link take. */
const LONG_MS = 60;
/** More time (ms) than passes by itself during a read. */
const MUCH_MS = 30_000;

const fillsCache = (clearing: EhrWhich) =>
  both(
    around(READ, async ({ cred, parts, seen, next }) => {
      const cache = seen.notes<unknown>('records');
      if (cache.has(cred.token)) return yes(cache.get(cred.token));
      const reply = await next();
      await aMoment(parts);
      if (isDone(reply)) cache.set(cred.token, reply?.result);
      return reply;
    }),
    after(done(clearing), ({ cred, seen }) => void seen.notes('records').delete(cred.token)),
  );

const readsLate = (ms: number) =>
  around(READ, async ({ cred, parts, next }) => {
    const reply = await next();
    await new Promise<void>((resolve) => parts.clock.after(ms, resolve));
    const link = isDone(reply) ? await parts.store.findLink(String(cred.user)) : undefined;
    const patient = link && (await parts.mis.get(link.patientId));
    return patient ? { ...reply, ...yes({ ...(reply?.result as Members), patient }) } : reply;
  });

const whereTimePassed = (answer: (turn: EhrTurn, reply: Members) => Members) =>
  around(READ, async (turn) => {
    const begun = turn.parts.clock.now();
    const reply = await turn.next();
    await aMoment(turn.parts);
    const isLong = turn.parts.clock.now() - begun > MUCH_MS;
    return reply && isDone(reply) && isLong ? answer(turn, reply) : reply;
  });

const keepsRecord = both(
  instead(READ, ({ cred, seen }) => seen.notes<Members>('kept').get(cred.token)),
  whereTimePassed(({ cred, seen }, reply) => {
    seen.notes<Members>('kept').set(cred.token, reply);
    return reply;
  }),
);

export const endingDefects = foundBy({
  'no-read-outlives-ending': [
    'logout-cached: Reads are answered from a cache, which a logout does not clear',
    cachesReads,
    'read-fills-cache-at-logout: A read that is under way at a logout fills the cache of the session again',
    fillsCache(LOG_OUT),
  ],
  'reads-at-ending-of-own-patient': [
    'patient-looked-up-late: The patient of a read is that of a link that was made meanwhile',
    readsLate(LONG_MS),
  ],
  'no-read-outlives-expiry': [
    'read-begins-ttl-again: A read that is under way when the ttl is over begins it again',
    keepsRecord,
  ],
});

const losesSessions: EhrChange = {
  ...withStore((store, { seen }) => {
    const keep = (hash: TokenHash) => seen.notes('sessions').set(String(hash), true);
    return {
      findSession: (hash) => (seen.notes('sessions').has(String(hash)) ? store.findSession(hash) : undefined),
      saveSession(session, ...rest) {
        keep(session.tokenHash);
        return store.saveSession(session, ...rest);
      },
      link(request) {
        keep(hashToken(sessionOfHash(seen, request.exchangeToken)?.token ?? ''));
        return store.link(request);
      },
    };
  }),
  ...forgets('sessions'),
};

const endsInMemory: EhrChange = {
  ...withStore((store, { seen }) => ({
    findSession: (hash) => (seen.notes('ended').has(String(hash)) ? undefined : store.findSession(hash)),
    // `set` returns the map, whose size is above 0: the removal says that it found the session.
    removeSession: async (hash: TokenHash) => seen.notes('ended').set(String(hash), true).size > 0,
  })),
  ...forgets('ended'),
};

const forgetsUsed: EhrChange = {
  ...both(
    after(done(AUTHENTICATE), ({ params, seen }) => void seen.notes('used').set(params.exchangeToken, true)),
    after(refused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'), (turn) => {
      const { exchangeToken } = turn.params;
      const isForgotten =
        turn.seen.used.has(String(exchangeToken)) && !turn.seen.notes('used').has(exchangeToken);
      return isForgotten ? success(turn) : undefined;
    }),
  ),
  ...forgets('used'),
};

export const restartDefects = foundBy({
  'ended-over-restart': [
    'exchange-tokens-forgotten: An exchange token that was used is saved again after a restart',
    forgetsUsed,
    'logout-in-memory: A session that was logged out is back after a restart',
    endsInMemory,
  ],
  'kept-over-restart': ['sessions-in-memory: Sessions are gone after a restart', losesSessions],
});
