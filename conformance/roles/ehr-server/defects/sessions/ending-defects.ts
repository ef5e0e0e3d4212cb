/**
 * Defects of an EHR server in reads that are under way while their session ends. A key is the check that must
 * find the defects below it. A text `id: title` begins a defect; its change of the right server follows.
 */
import { done } from '../../../../engine/defects/operators.ts';
import { isDone, type Members, yes } from '../../../../engine/defects/rpc-call.ts';
import { after, aMoment, around, both, type EhrTurn, type EhrWhich, instead } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { LOG_OUT, READ } from '../methods.ts';

/** Longer (ms) than a disconnection and a new link take. */
const LONG_MS = 60;
/** More time (ms) than passes by itself during a read. */
const MUCH_MS = 30_000;

/** Answer reads from a cache that `clearing` calls clear; a read that is under way fills it once more. */
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

/** Look up the patient some time after the session, so that it is the one of a link made meanwhile. */
const readsLate = (ms: number) =>
  around(READ, async ({ cred, parts, next }) => {
    const reply = await next();
    await new Promise<void>((resolve) => parts.clock.after(ms, resolve));
    const link = isDone(reply) ? await parts.store.findLink(String(cred.user)) : undefined;
    const patient = link && (await parts.mis.get(link.patientId));
    return patient ? { ...reply, ...yes({ ...(reply?.result as Members), patient }) } : reply;
  });

/** Answer a read otherwise where the clock passed much time while the read was under way. */
const whereTimePassed = (answer: (turn: EhrTurn, reply: Members) => Members) =>
  around(READ, async (turn) => {
    const begun = turn.parts.clock.now();
    const reply = await turn.next();
    await aMoment(turn.parts);
    const isLong = turn.parts.clock.now() - begun > MUCH_MS;
    return reply && isDone(reply) && isLong ? answer(turn, reply) : reply;
  });

/** Keep the record of a read that was under way, and answer later reads by it. */
const keepsRecord = both(
  instead(READ, ({ cred, seen }) => seen.notes<Members>('kept').get(cred.token)),
  whereTimePassed(({ cred, seen }, reply) => {
    seen.notes<Members>('kept').set(cred.token, reply);
    return reply;
  }),
);

export const endingDefects = foundBy({
  'no-read-outlives-ending': [
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
