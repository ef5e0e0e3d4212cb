/**
 * A check that plays random sequences of calls and clock jumps on an EHR server, and compares each answer
 * with a model of the state table (§3).
 */
import { seededRandom } from '#protocol/time/random.ts';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import { check, type EhrCheck, ends } from '../check.ts';
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

export const stateTableChecks: readonly EhrCheck[] = [
  check({
    id: 'follows-state-table',
    title: 'The server answers every sequence of calls and clock jumps as the state table says',
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
        });
      }
      // A check needs a step: this read carries the notes above.
      await world.getPatient('explored', world.session());
    },
    judge({ of, allObserved, own }) {
      const differing = allObserved('explored').filter(({ isDifferent }) => isDifferent === true);
      if (differing.length === 0) return undefined;
      // A play that did not differ again: the server does not answer alike each time.
      const [again, ...others] = differing.filter(({ expected }) => expected !== '');
      if (!again)
        return {
          expected: 'the same answer each time',
          actual: `a sequence differed once, and not again: ${differing[0]?.sequence}`,
          shownBy: [of('explored')],
        };
      const shownBy = own().filter(({ step }) => step.label !== 'clean-up' && step.label !== 'explored');
      const further = others.map((each) => `; and ${wantedOf(each)}, but ${cameOf(each)}`).join('');
      return { expected: wantedOf(again), actual: `${cameOf(again)}${further}`, shownBy };
    },
    advice:
      'Play the messages of this verdict by hand: the last answer is the wrong one, and no step before it can be left out.',
  }),
];
