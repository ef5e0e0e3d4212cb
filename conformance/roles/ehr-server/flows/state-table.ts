/** The state table (§3) as a model: drawn sequences of calls and clock jumps are answered by it. */
import { seededRandom } from '#protocol/time/random.ts';
import { check, type EhrCheck, ends } from '../check.ts';
import type { KnownPerson } from '../settings.ts';
import { drawSteps, PATIENT_COUNT } from '../world/model/draw-steps.ts';
import { explore } from '../world/model/explore.ts';
import type { Step } from '../world/model/state-model.ts';
import { describeStep, Sequence, type StepDifference } from '../world/model/take-step.ts';
import type { EhrWorld } from '../world/world.ts';

/** Steps of the sequence that the journal shows where none differs. */
const SHOWN_STEPS = 20;
/** Failed matches with the phone of a patient count for an hour. */
const FORGET_MINUTES = 61;

/** Plays a sequence, with new users. */
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
      const hidden = world.unrecorded();
      const canAdvance = world.parts.canAdvance;
      const random = seededRandom(world.parts.seed);
      const { taken, shortest } = await explore((steps) => play(hidden, people, steps), random, {
        canAdvance,
      });
      const shown =
        shortest ?? drawSteps(seededRandom(world.parts.seed), { length: SHOWN_STEPS, canAdvance });
      // Recorded: what differs, or one of the sequences that do not.
      const difference = await play(world, people, shown);
      world.observe('explored', {
        taken,
        isDifferent: shortest !== undefined,
        sequence: shown.map(describeStep).join('; '),
        expected: difference?.expected ?? '',
        actual: difference?.actual ?? '',
      });
      await world.getPatient('explored', world.session());
    },
    judge({ of, observed, own }) {
      const { isDifferent, expected = '', actual = '', sequence = '' } = observed('explored') ?? {};
      if (isDifferent !== true) return undefined;
      const shownBy = own().filter(({ step }) => step.label !== 'clean-up' && step.label !== 'explored');
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
