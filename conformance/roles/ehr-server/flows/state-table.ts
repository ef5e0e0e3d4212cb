/**
 * A check that plays random sequences of calls and clock jumps on an EHR server, and compares each answer
 * with a model of the state table (§3).
 */
import { seededRandom } from '#protocol/time/random.ts';
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
  try {
    for (const [index, step] of steps.entries()) {
      const difference = await sequence.take(step);
      if (difference) return { ...difference, at: index + 1 };
    }
    return undefined;
  } finally {
    await world.unlinkAll();
    if (world.parts.canWait) await world.advance(FORGET_MINUTES);
  }
}

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
      const canAdvance = world.parts.canAdvance;
      const random = seededRandom(world.parts.seed);
      const { taken, shortest } = await explore((steps) => play(hidden, people, steps), random, {
        canAdvance,
      });
      const shown =
        shortest ?? drawSteps(seededRandom(world.parts.seed), { length: SHOWN_STEPS, canAdvance });
      // This play is recorded: the shortest sequence that differs, or one that does not.
      const difference = await play(world, people, shown);
      world.observe('explored', {
        taken,
        isDifferent: shortest !== undefined,
        sequence: shown.map(describeStep).join('; '),
        expected: difference?.expected ?? '',
        actual: difference?.actual ?? '',
      });
      // A check needs a step: this read carries the notes above.
      await world.getPatient('explored', world.session());
    },
    judge({ of, observed, own }) {
      const { isDifferent, expected = '', actual = '', sequence = '' } = observed('explored') ?? {};
      if (isDifferent !== true) return undefined;
      const shownBy = own().filter(({ step }) => step.label !== 'clean-up' && step.label !== 'explored');
      // The recorded play did not differ: the server does not answer alike each time.
      if (expected === '')
        return {
          expected: 'the same answer each time',
          actual: `a sequence differed once, and not again: ${sequence}`,
          shownBy: [of('explored')],
        };
      return {
        expected: `"${sequence}" ${expected === 'ok' ? 'succeeds' : `is refused by code ${expected}`}`,
        actual: actual === 'ok' ? 'it succeeded' : `code ${actual}`,
        shownBy,
      };
    },
    advice:
      'Play the messages of this verdict by hand: the last answer is the wrong one, and no step before it can be left out.',
  }),
];
