/** Plays random sequences of calls and clock jumps, and compares each answer with a model of §3. */
import { seededRandom } from '#protocol/time/random.ts';
import type { FlowCheck } from '../../../engine/check/flow.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { flow } from '../flow.ts';
import type { KnownPerson } from '../settings.ts';
import { drawSteps, explore, PATIENT_COUNT, type Play } from '../world/model/explore.ts';
import { describeStep, Sequence } from '../world/model/take-step.ts';
import type { EhrWorld } from '../world/world.ts';

const SHOWN_STEPS = 20;
/** A server counts failed matches for an hour. The clock moves past it after each sequence. */
const FORGET_MINUTES = 61;
/** The kit explores by so many steps, of about a millisecond each on a local server. */
const MAX_STEPS = 2_000;
const MAX_WALK_MS = 30_000;
/** The calls must not use up what lifetimes outlast a clock jump by: at least 55 s. */
const MAX_SEQUENCE_MS = 40_000;

const playWith =
  (world: EhrWorld, people: readonly KnownPerson[]): Play =>
  async (steps, isWanted) => {
    const sequence = new Sequence(world, people);
    const { clock } = world.parts;
    const begun = clock.now();
    try {
      for (const [index, step] of steps.entries()) {
        if (clock.now() - begun > MAX_SEQUENCE_MS) break;
        const difference = await sequence.take(step);
        if (difference && isWanted(difference)) return { ...difference, at: index + 1 };
        if (difference && difference.breaks !== 'code') break;
      }
      return undefined;
    } finally {
      await world.unlinkAll();
      if (world.parts.canWait) await world.advance(FORGET_MINUTES);
    }
  };

type Noted = ObservationEntry['values'];

const wantedOf = ({ sequence, expected }: Noted) =>
  `"${sequence}" ${expected === 'ok' ? 'succeeds' : `is refused by code ${expected}`}`;

const cameOf = ({ actual }: Noted) => (actual === 'ok' ? 'it succeeded' : `code ${actual}`);

/** The wrong answer stands first, because a long list of evidence is cut. */
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

/** Whether the server does more than the table says, refuses more, or differs by the code alone. */
type Breaks = 'does' | 'refuses' | 'code';

function differing(noted: readonly Noted[], breaks: Breaks, own: readonly PlayedStep[]): Fault | undefined {
  const once = breaks === 'code' && noted.find(({ isRepeated }) => isRepeated === false);
  if (once) {
    const actual = `a sequence differed once, and not again: ${once.sequence}`;
    return { expected: 'the same answer each time', actual, shownBy: own };
  }
  const [first, ...others] = noted.filter((each) => each.breaks === breaks && each.isRepeated === true);
  return first && faultOf(first, others, own);
}

type About = Pick<FlowCheck, 'title' | 'requirements'>;

/** Judges one way in which answers differ. */
const ofTable = (breaks: Breaks, about: About): FlowCheck => ({
  ...about,
  judge: ({ allObserved, of, own }) =>
    differing(allObserved('explored'), breaks, own()) ?? { right: [of('explored')] },
  advice: ADVICE,
});

export const stateTable = flow('follows-state-table', {
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
    const { taken, shortest } = await explore(playWith(hidden, people), random, {
      ...{ canAdvance, maxSteps },
      isLate: () => maxSteps < MAX_STEPS && clock.now() > end,
    });
    const right = drawSteps(seededRandom(seed), { length: SHOWN_STEPS, canAdvance });
    const play = playWith(world, people);
    // These plays are recorded: the shortest sequences that differ, or one that does not.
    if (shortest.length === 0) await play(right, () => true);
    for (const { steps, found } of shortest) {
      const again = await play(steps, ({ breaks }) => breaks === found.breaks);
      const { breaks, expected, actual } = again ?? found;
      const sequence = steps.map(describeStep).join('; ');
      world.observe('explored', { sequence, breaks, expected, actual, isRepeated: again !== undefined });
    }
    // A pass must be shown by a step: this read stands for the calls that were not recorded.
    await world.getPatient('explored', world.session())();
    world.observe('explored', { taken });
  },
  checks: {
    'follows-state-table': ofTable('does', {
      title: 'No sequence of calls and clock jumps succeeds where the state table demands an error',
      requirements: [
        '3-no-session',
        '3-exchange-token-pending',
        '3-repeated-save-changes-nothing',
        '3-logout-ends-session',
        '3-disconnect-ends-session',
        'D13-exchange-token-used-up',
      ],
    }),
    'state-table-refuses-within': ofTable('refuses', {
      title: 'Each sequence of calls and clock jumps succeeds where the state table says so',
      requirements: [
        '3-authenticated',
        '3-exchange-token-remembered',
        '3-authenticate-opens',
        '3-save-opens',
      ],
    }),
    'state-table-codes': ofTable('code', {
      title: 'Refusals in sequences of calls and clock jumps have the codes of the field',
      requirements: ['DE-further-numbers'],
    }),
  },
});
