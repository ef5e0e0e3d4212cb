/**
 * A check that plays random sequences of calls and clock jumps on an EHR server, and compares each answer
 * with a model of the state table (§3).
 */
import { seededRandom } from '#protocol/time/random.ts';
import type { Check } from '../../../engine/check/check.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { check, checkOfAll, type EhrCheck, ends } from '../check.ts';
import type { KnownPerson } from '../settings.ts';
import { drawSteps, PATIENT_COUNT } from '../world/model/draw-steps.ts';
import { explore } from '../world/model/explore.ts';
import type { Step } from '../world/model/state-model.ts';
import { describeStep, Sequence, type StepDifference } from '../world/model/take-step.ts';
import type { EhrWorld } from '../world/world.ts';

/** Where every answer is right, the journal shows one sequence of so many steps. */
const SHOWN_STEPS = 20;
/** A server counts failed matches for an hour. The clock moves past it after each sequence. */
const FORGET_MINUTES = 61;
/** The kit explores by so many steps, of about a millisecond each on a local server. */
const MAX_STEPS = 2_000;
/** On a slow server it explores by fewer steps, which take no longer than this. */
const MAX_WALK_MS = 30_000;
/**
 * A sequence ends after so long: its lifetimes end at least 55 s after the clock jumps that they outlast, and
 * the calls of a slow server must not use that up.
 */
const MAX_SEQUENCE_MS = 40_000;

/**
 * Plays a sequence with new users. Returns the first difference from the model; `at` is the number of its
 * step.
 */
async function play(
  world: EhrWorld,
  people: readonly KnownPerson[],
  steps: readonly Step[],
): Promise<(StepDifference & { at: number }) | undefined> {
  const sequence = new Sequence(world, people);
  const { clock } = world.parts;
  const begun = clock.now();
  try {
    for (const [index, step] of steps.entries()) {
      if (clock.now() - begun > MAX_SEQUENCE_MS) break;
      const difference = await sequence.take(step);
      if (difference) return { ...difference, at: index + 1 };
    }
    return undefined;
  } finally {
    await world.unlinkAll();
    if (world.parts.canWait) await world.advance(FORGET_MINUTES);
  }
}

type Noted = ObservationEntry['values'];

const wantedOf = ({ sequence, expected }: Noted) =>
  `"${sequence}" ${expected === 'ok' ? 'succeeds' : `is refused by code ${expected}`}`;

const cameOf = ({ actual }: Noted) => (actual === 'ok' ? 'it succeeded' : `code ${actual}`);

/**
 * The fault of differences: the first one, and in words the others. The wrong answer stands first in what
 * shows it, because a long list of evidence is cut.
 */
function faultOf(first: Noted, others: readonly Noted[], own: readonly PlayedStep[]): Fault {
  const steps = own.filter(({ step }) => step.label !== 'clean-up' && step.label !== 'explored');
  const calls = String(first.sequence).split('; ');
  const wrong = steps.findLast(({ step }) => step.label.endsWith(` ${calls.at(-1)}`));
  const shownBy = wrong ? [wrong, ...steps.filter((each) => each !== wrong)] : steps;
  const further = others.map((each) => `; and ${wantedOf(each)}, but ${cameOf(each)}`).join('');
  return { expected: wantedOf(first), actual: `${cameOf(first)}${further}`, shownBy };
}

const ADVICE =
  'Play the messages of this verdict by hand: the last answer is the wrong one, and no step before it can be left out.';

export const stateTableChecks: readonly EhrCheck[] = [
  check({
    id: 'follows-state-table',
    title: 'No sequence of calls and clock jumps succeeds where the state table demands an error',
    requirements: [
      '3-no-session',
      '3-exchange-token-pending',
      '3-authenticated',
      '3-exchange-token-remembered',
      '3-authenticate-opens',
      '3-save-opens',
      '3-repeated-save-changes-nothing',
      '3-logout-ends-session',
      '3-disconnect-ends-session',
    ],
    expect: { explored: ends },
    async play(world) {
      const people: KnownPerson[] = [];
      while (people.length < PATIENT_COUNT) people.push(await world.patient());
      // Thousands of right calls would fill the journal.
      const hidden = world.unrecorded();
      const { canAdvance, clock, seed, pace } = world.parts;
      const random = seededRandom(seed);
      // Measured by the doctor: the load of the kit's own machine must not shorten the walk.
      const maxSteps = Math.min(MAX_STEPS, Math.ceil(MAX_WALK_MS / pace.callMs));
      const end = clock.now() + 2 * MAX_WALK_MS;
      const { taken, shortest } = await explore((steps) => play(hidden, people, steps), random, {
        ...{ canAdvance, maxSteps },
        isLate: () => maxSteps < MAX_STEPS && clock.now() > end,
      });
      const right = drawSteps(seededRandom(seed), { length: SHOWN_STEPS, canAdvance });
      // These plays are recorded: the shortest sequences that differ, or one that does not.
      for (const shown of shortest.length > 0 ? shortest : [right]) {
        const difference = await play(world, people, shown);
        world.observe('explored', {
          taken,
          isDifferent: shortest.length > 0,
          sequence: shown.map(describeStep).join('; '),
          expected: difference?.expected ?? '',
          actual: difference?.actual ?? '',
          isOfInterface: difference?.isOfInterface ?? false,
        });
      }
      // A check needs a step: this read carries the notes above.
      await world.getPatient('explored', world.session());
    },
    judge: ({ allObserved, own }) => {
      const [first, ...others] = allObserved('explored').filter(
        ({ isOfInterface }) => isOfInterface === true,
      );
      return first && faultOf(first, others, own());
    },
    advice: ADVICE,
  }),
];

const WALK = 'follows-state-table';

/** Judges the other differences of the same walk: those from decisions. */
export const asDecided: Check = checkOfAll({
  id: 'state-table-as-decided',
  title: 'The server answers every sequence of calls and clock jumps as the decisions say',
  requirements: [
    'D12-expired-token-taken',
    'D14-first-save-records',
    'D14-second-save-refused',
    'D15-sign-per-link',
    'D18-ehr-own-table',
    'D19-one-session',
    'D20-link-removed',
    'D21a-session-already-live',
    'D36-five-pending',
  ],
  scenarios: [WALK],
  judge(journal) {
    const noted = journal.observations({ scenario: WALK, label: 'explored' }).map(({ values }) => values);
    const own = journal.stepsOf({ id: WALK });
    if (noted.length === 0) return { notApplicable: 'no sequence was played' };
    const differing = noted.filter((each) => each.isDifferent === true && each.isOfInterface !== true);
    const [first, ...others] = differing.filter(({ expected }) => expected !== '');
    if (first) return faultOf(first, others, own);
    const [once] = differing;
    if (!once) return { right: own };
    // It did not differ again: the server does not answer alike each time.
    const actual = `a sequence differed once, and not again: ${once.sequence}`;
    return { expected: 'the same answer each time', actual, shownBy: own };
  },
  advice: ADVICE,
});
