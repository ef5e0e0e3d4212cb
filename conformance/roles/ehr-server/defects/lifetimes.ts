/** Defects of an EHR server in lifetimes, reads at an ending and restarts, which lose notes of the ledger. */
import type { Session } from '#ehr-server/store/store.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { ANY, done, refused } from '../../../engine/defects/operators.ts';
import { isDone, type Members, withParams, yes } from '../../../engine/defects/rpc-call.ts';
import type { EhrServerParts } from '../self-test/serve.ts';
import {
  AUTHENTICATE,
  acceptsRefused,
  after,
  aMoment,
  around,
  before,
  both,
  defect,
  type EhrTurn,
  forgets,
  instead,
  LOG_OUT,
  pendingOf,
  READ,
  refuses,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  sessionOfHash,
  success,
  withRules,
  withStore,
} from './changes.ts';
import { cachesReads } from './sessions.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Timers of some languages take 2^31 - 1 milliseconds at most; these are so many minutes. */
const MAX_TIMER_MINUTES = 35_791;

const readsRevived = after(refused(READ, 'session_expired'), ({ cred, seen }) => {
  const record = seen.links.get(String(cred.user));
  return seen.notes('revived').has(cred.token) && record && yes(record);
});

const revivedBySave = (isMeant: (turn: EhrTurn) => boolean = ANY) =>
  both(
    readsRevived,
    before(SAVE, (turn) => {
      const { token } = turn.authInfo;
      const isKnown = turn.seen.sessions.some((session) => session.token === token);
      if (isKnown && isMeant(turn)) turn.seen.notes('revived').set(token, true);
    }),
  );

/** Let each session end at the time (ms) that `end` gives. */
const endsAt = (end: (session: Session & { key: string }, parts: EhrServerParts) => number) =>
  withStore((store, parts) => ({
    async findSession(tokenHash) {
      const session = await store.findSession(tokenHash);
      return session && { ...session, expiresAt: end({ ...session, key: String(tokenHash) }, parts) };
    },
  }));

/** Lose each session that was saved more than a day before the last clean-up. */
const purges = (cleanedAt: (turn: EhrTurn) => number) =>
  both(
    after(done(SAVE), ({ authInfo, parts, seen }) => {
      seen.notes<number>('saved').set(authInfo.token, parts.clock.now());
    }),
    refuses(READ, 'not_authorized', (turn) => {
      const savedAt = turn.seen.notes<number>('saved').get(turn.cred.token);
      return savedAt !== undefined && cleanedAt(turn) - savedAt > DAY_MS;
    }),
  );

/** Longer (ms) than a disconnection and a new link take. */
const LONG_MS = 60;
/** More time (ms) than passes by itself during a read. */
const MUCH_MS = 30_000;

/** Note the time of a restart, from which wrong servers count again. */
const notesRestart = {
  forget(parts: EhrServerParts) {
    parts.seen.notes<number>('restart').set('', parts.clock.now());
    return parts;
  },
};

const isWithin = (minutes: unknown, { parts, seen }: EhrTurn) =>
  parts.clock.now() < (seen.notes<number>('restart').get('') ?? 0) + Number(minutes) * MINUTE_MS;

export const timeDefects = [
  defect('ttl-in-minutes', 'minutes-as-seconds', {
    title: 'The ttl is counted in seconds where clients send minutes',
    ...withRules({ ttlUnit: 'seconds' }),
  }),
  defect('ttl-in-minutes', 'seconds-after-authenticate', {
    title: 'The ttl of a session that authenticate opens is counted in seconds',
    ...both(
      after(done(AUTHENTICATE), (turn) => {
        turn.seen.notes<number>('opened').set(pendingOf(turn)?.token, turn.parts.clock.now());
      }),
      refuses(READ, 'session_expired', ({ cred, parts, seen }) => {
        const ageMs = parts.clock.now() - (seen.notes<number>('opened').get(cred.token) ?? Infinity);
        return ageMs > 1_000 && !seen.done(SAVE).some(({ authInfo }) => authInfo.token === cred.token);
      }),
    ),
  }),
  defect('reads-lengthen-nothing', 'session-prolonged-by-use', {
    title: 'Each use of a session begins its lifetime again',
    ...endsAt(({ key, expiresAt }, { clock, seen }) => {
      const ends = seen.notes<number>('ends');
      const now = clock.now();
      if (now >= (ends.get(key) ?? expiresAt)) return expiresAt;
      ends.set(key, now + MINUTE_MS);
      return now + MINUTE_MS;
    }),
  }),
  defect('ttl-in-seconds', 'seconds-as-minutes', {
    title: 'The ttl is counted in minutes where clients send seconds',
    settings: { ttlUnit: 'seconds' },
  }),
  defect('created-accepted', 'session-not-valid-yet', {
    title: 'A session created ahead of the server’s clock is not valid yet',
    ...refuses(SAVE, 'invalid_params', ({ authInfo: { created }, parts }) => {
      return typeof created === 'string' && Date.parse(created) > parts.clock.now();
    }),
  }),
  defect('over-at-the-instant', 'session-to-the-next-second', {
    title: 'The end of a session is compared in whole seconds, and comes later',
    ...endsAt(({ expiresAt }) => Math.floor(expiresAt / SECOND_MS) * SECOND_MS + SECOND_MS),
  }),
  defect('expired-session-not-revived', 'revived-by-save', {
    title: 'A repeated save is refused, and begins the lifetime of the session again',
    ...revivedBySave(),
  }),
  defect('expired-session-stays-over', 'revived-by-exchange-token', {
    title: 'An exchange token of before opens the expired session again',
    ...both(
      readsRevived,
      after(refused(AUTHENTICATE, 'token_already_stored'), (turn) => {
        turn.seen.notes('revived').set(pendingOf(turn)?.token, true);
        return success(turn);
      }),
    ),
  }),
  defect('session-not-lengthened', 'lengthened-by-repeat', {
    title: 'A repeated save of a live session is refused, and takes its ttl',
    ...revivedBySave(({ authInfo }) => Number(authInfo.ttl) > 1),
  }),
  defect('over-at-the-instant', 'ttl-zero-is-endless', {
    title: 'A session whose ttl is 0 or less has no end',
    ...before(
      SAVE,
      ({ call, authInfo }) =>
        Number(authInfo.ttl) <= 0 && withParams(call, { authInfo: { ...authInfo, ttl: 60 } }),
    ),
  }),
  defect('ttl-of-weeks', 'purged-after-a-day', {
    title: 'A clean-up removes each session that is older than a day',
    ...purges(({ parts }) => parts.clock.now()),
  }),
  defect('ttl-of-weeks', 'ttl-by-timer', {
    title: 'A timer ends a session, at once if the ttl exceeds 24 days',
    ...refuses(READ, 'session_expired', ({ cred, seen }) =>
      seen
        .done(SAVE)
        .some(({ authInfo }) => authInfo.token === cred.token && Number(authInfo.ttl) > MAX_TIMER_MINUTES),
    ),
  }),
  defect('logout-ends-session', 'logout-cached', {
    title: 'Reads are answered from a cache, which a logout does not clear',
    ...cachesReads,
  }),
  defect('no-read-outlives-ending', 'read-fills-cache-at-logout', {
    title: 'A read that is under way at a logout fills the cache of the session again',
    ...both(
      around(READ, async ({ cred, parts, seen, next }) => {
        const cache = seen.notes<unknown>('records');
        if (cache.has(cred.token)) return yes(cache.get(cred.token));
        const reply = await next();
        await aMoment(parts);
        if (isDone(reply)) cache.set(cred.token, reply?.result);
        return reply;
      }),
      after(done(LOG_OUT), ({ cred, seen }) => void seen.notes('records').delete(cred.token)),
    ),
  }),
  defect('reads-at-ending-of-own-patient', 'patient-looked-up-late', {
    title: 'The patient of a read is that of a link that was made meanwhile',
    ...around(READ, async ({ cred, parts, next }) => {
      const reply = await next();
      await aMoment(parts, LONG_MS);
      const link = isDone(reply) ? await parts.store.findLink(String(cred.user)) : undefined;
      const patient = link && (await parts.mis.get(link.patientId));
      return patient ? { ...reply, ...yes({ ...(reply?.result as Members), patient }) } : reply;
    }),
  }),
  defect('no-read-outlives-expiry', 'read-begins-ttl-again', {
    title: 'A read that is under way when the ttl is over begins it again',
    ...both(
      instead(READ, ({ cred, seen }) => seen.notes<Members>('kept').get(cred.token)),
      around(READ, async ({ cred, parts, seen, next }) => {
        const begun = parts.clock.now();
        const reply = await next();
        await aMoment(parts);
        const isLong = parts.clock.now() - begun > MUCH_MS;
        if (reply && isDone(reply) && isLong) seen.notes<Members>('kept').set(cred.token, reply);
        return reply;
      }),
    ),
  }),
  defect('ends-kept-over-restart', 'ttl-restarted-at-restart', {
    title: 'A restart gives each session its whole ttl again',
    ...acceptsRefused(READ, 'session_expired', (turn) => {
      const saved = turn.seen.done(SAVE).find(({ authInfo }) => authInfo.token === turn.cred.token);
      return saved && isWithin(saved.authInfo.ttl, turn);
    }),
    ...notesRestart,
  }),
  defect('ends-kept-over-restart', 'exchange-tokens-renewed-at-restart', {
    title: 'A restart gives each exchange token ten minutes again',
    ...acceptsRefused(AUTHENTICATE, 'exchange_token_expired', (turn) => isWithin(10, turn)),
    ...notesRestart,
  }),
  defect('kept-over-restart', 'purged-at-restart', {
    title: 'A restart removes each session that is older than a day',
    ...purges(({ seen }) => seen.notes<number>('restart').get('') ?? 0),
    ...notesRestart,
  }),
  defect('ended-over-restart', 'exchange-tokens-forgotten', {
    title: 'An exchange token that was used is saved again after a restart',
    ...both(
      after(
        done(AUTHENTICATE),
        ({ params, seen }) => void seen.notes('used').set(params.exchangeToken, true),
      ),
      acceptsRefused(
        SAVE_EXCHANGE_TOKEN,
        'exchange_token_already_stored',
        ({ params: { exchangeToken }, seen }) =>
          seen.used.has(String(exchangeToken)) && !seen.notes('used').has(exchangeToken),
      ),
    ),
    ...forgets('used'),
  }),
  defect('ended-over-restart', 'logout-in-memory', {
    title: 'A session that was logged out is back after a restart',
    ...withStore((store, { seen }) => ({
      findSession: (hash) => (seen.notes('ended').has(String(hash)) ? undefined : store.findSession(hash)),
      // `set` returns the map, whose size is above 0: the removal says that it found the session.
      removeSession: async (hash) => seen.notes('ended').set(String(hash), true).size > 0,
    })),
    ...forgets('ended'),
  }),
  defect('kept-over-restart', 'sessions-in-memory', {
    title: 'Sessions are gone after a restart',
    ...withStore((store, { seen }) => ({
      findSession: (hash) => (seen.notes('sessions').has(String(hash)) ? store.findSession(hash) : undefined),
      saveSession(session, ...rest) {
        seen.notes('sessions').set(String(session.tokenHash), true);
        return store.saveSession(session, ...rest);
      },
      link(request) {
        const hash = hashToken(sessionOfHash(seen, request.exchangeToken)?.token ?? '');
        seen.notes('sessions').set(String(hash), true);
        return store.link(request);
      },
    })),
    ...forgets('sessions'),
  }),
];
