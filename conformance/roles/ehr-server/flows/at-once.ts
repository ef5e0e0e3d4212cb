/**
 * Checks of races: the kit sends the same call several times at the same moment. An exchange token must open
 * once, and a patient must get one user (§3, §4, decision 13).
 */
import type { Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../engine/check/check.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import { check, checkOfAll, done, type EhrCheck, type EhrExpectation, ends, refused } from '../check.ts';
import { isUnserved } from '../world/answer.ts';

/** How often each race is repeated: one race alone may miss the moment at which a server errs. */
const ROUNDS = 4;
/** Calls at the same moment. No more than five: an exchange token or a phone allows few failed matches. */
const CALLERS = 5;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Requires that at most one call of each round succeeds. Another step of the check shows that one did. */
const onceARound = (expected: string, late: Reason): EhrExpectation => ({
  kind: 'other',
  // The check of this code judges those that came too late.
  reason: late,
  judge(_label, played) {
    for (let round = 0; round < ROUNDS; round++) {
      // The steps of a label are in order, and each round adds CALLERS of them.
      const own = played
        .slice(round * CALLERS, (round + 1) * CALLERS)
        .filter(({ result }) => result.kind === 'done');
      if (own.length > 1) return { expected, actual: `${own.length} calls succeeded`, shownBy: own };
    }
    return undefined;
  },
});

export const atOnceChecks: readonly EhrCheck[] = [
  check({
    id: 'exchange-token-opened-once-at-once',
    title: 'One exchange token that is used many times at the same moment opens once',
    requirements: ['D13-exchange-token-used-up'],
    expect: { 'read the patient': done, 'use it': onceARound('one call succeeds', 'exchange_token_unknown') },
    async play(world) {
      for (let round = 0; round < ROUNDS; round++) {
        const pending = await world.pending();
        await Promise.all(times(CALLERS, () => world.authenticate('use it', pending)));
        await world.getPatient('read the patient', pending.session);
        await world.release();
      }
    },
    advice: 'Look the exchange token up and use it up in one transaction, or by one conditional update.',
  }),
  check({
    id: 'token-stored-once-at-once',
    title: 'One session token that is saved many times at the same moment is stored once',
    requirements: ['8-token-used-once', '4.1-repeat-refused'],
    expect: { 'read the patient': done, 'save it': onceARound('one save succeeds', 'token_already_stored') },
    async play(world) {
      const { session, userSign } = await world.linked();
      for (let round = 0; round < ROUNDS; round++) {
        const next = world.session(session.user);
        await Promise.all(times(CALLERS, () => world.saveAuthInfo('save it', next, userSign)));
        await world.getPatient('read the patient', next);
      }
    },
    advice: 'Give the session token a unique index in the database: a look beforehand does not suffice.',
  }),
  check({
    id: 'nothing-read-after-removal',
    title: 'Once remove_authentication is answered, no read that begins later gives data',
    requirements: ['3-disconnect-ends-session'],
    expect: { disconnect: done, 'read afterwards': refused('not_authorized'), 'read meanwhile': ends },
    async play(world) {
      for (let round = 0; round < ROUNDS; round++) {
        const { session } = await world.linked();
        const reads = times(CALLERS, () => world.getPatient('read meanwhile', session));
        await world.removeAuthentication('disconnect', session);
        await world.getPatient('read afterwards', session);
        await Promise.all(reads);
        await world.release();
      }
    },
    advice: 'Answer a removal when it has taken effect for every process and cache.',
  }),
];

/** The label of the calls that meet, by the scenario in which they do. */
const MEETING = {
  'exchange-token-opened-once-at-once': 'use it',
  'token-stored-once-at-once': 'save it',
} as const;

/** Judges those of the calls above that came too late. It has no scenario of its own. */
export const lateCallsRefused: Check = checkOfAll({
  id: 'late-calls-refused',
  title: 'Of calls that meet, each that comes too late is refused, and none fails',
  requirements: ['K-late-call-refused'],
  scenarios: Object.keys(MEETING),
  judge(journal) {
    const played = Object.entries(MEETING).flatMap(([scenario, label]) => journal.steps({ scenario, label }));
    if (played.length === 0) return { notApplicable: 'no calls met' };
    const failed = played.filter(({ result }) => isUnserved(result));
    if (failed.length === 0) return { right: played };
    const words = [...new Set(failed.map(({ result }) => describe(result)))].slice(0, 3).join('; ');
    const actual = `${words} (${failed.length} of ${played.length} calls)`;
    return { expected: 'a success, or a refusal', actual, shownBy: failed };
  },
  advice:
    'Take the violation of a unique index, and a transaction that has to be repeated, for what they are.',
});
