/** Plays random sequences of calls and clock jumps, and compares each answer with a model of §3. */
import { type Random, seededRandom } from '#protocol/time/random.ts';
import type { FlowCheck } from '../../../engine/check/flow.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { flow } from '../flow.ts';
import type { KnownPerson } from '../settings.ts';
import { describeStep, Sequence, type StepDifference } from '../world/sequence.ts';
import type { Step } from '../world/state-model.ts';
import type { EhrWorld } from '../world/world.ts';

/** One for each user. Two users can want the same patient, and a user may change. */
const PATIENT_COUNT = 3;

/** The names of the model; real values are invented. */
const USERS = ['u1', 'u2', 'u3'] as const;
const TOKENS = ['t1', 't2', 't3', 't4'] as const;
const EXCHANGE_TOKENS = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'] as const;
const PATIENTS = Array.from({ length: PATIENT_COUNT }, (_, index) => `p${index}`);

/** Lifetimes of sessions, in minutes: one ends with any clock jump, one with most, one only with two. */
const TTLS = [1, 3, 12] as const;

/** A second more than whole minutes: no call comes at the very end of a lifetime. */
const JUMPS_MS = [61_000, 241_000, 601_000] as const;

type Kind = Step['kind'];

/** How often each kind of step is drawn, in proportion. */
const WEIGHTS: readonly (readonly [Kind, number])[] = [
  ['saveExchangeToken', 5],
  ['authenticate', 7],
  ['saveAuthInfo', 4],
  ['getPatient', 5],
  ['removeAuthInfo', 2],
  ['removeAuthentication', 1],
  ['advance', 2],
];

/** Nine of twelve steps repeat the names of an earlier announcement; the others draw new names. */
const FAMILIAR_OF_TWELVE = 9;

type Announced = { user: string; token: string; exchangeToken?: string };

function drawSteps(random: Random, { length, canAdvance }: { length: number; canAdvance: boolean }): Step[] {
  const draw = (below: number) => Buffer.from(random(4)).readUInt32BE() % below;
  const one = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const kinds = WEIGHTS.flatMap(([kind, weight]) =>
    kind === 'advance' && !canAdvance ? [] : Array.from({ length: weight }, () => kind),
  );
  const onceIn = (draws: number) => draw(draws) === 0;
  const isFamiliar = () => draw(12) < FAMILIAR_OF_TWELVE;
  // Too many steps that any server refuses would show little.
  const announced: Announced[] = [];
  const known = () => (announced.length > 0 && isFamiliar() ? one(announced) : undefined);
  return Array.from({ length }, (): Step => {
    const kind = one(kinds);
    const { user = one(USERS), token = one(TOKENS), exchangeToken = one(EXCHANGE_TOKENS) } = known() ?? {};
    const ttl = one(TTLS);
    switch (kind) {
      case 'advance':
        return { kind, ms: one(JUMPS_MS) };
      case 'saveExchangeToken': {
        const fresh = one(EXCHANGE_TOKENS);
        announced.push({ user, token, exchangeToken: fresh });
        return { kind, user, token, ttl, exchangeToken: fresh, rightDigest: !onceIn(12) };
      }
      case 'authenticate':
        return { kind, exchangeToken, patient: patientOf(user) };
      case 'saveAuthInfo': {
        const other = onceIn(2) ? token : one(TOKENS);
        announced.push({ user, token: other });
        return { kind, user, token: other, ttl, signOf: onceIn(6) ? one(USERS) : user };
      }
      default:
        return { kind, user, token };
    }
  });

  /** Mostly the patient of this user; else any patient. Undefined: properties of nobody. */
  function patientOf(user: string): string | undefined {
    if (isFamiliar()) return PATIENTS[(USERS as readonly string[]).indexOf(user)];
    return onceIn(3) ? undefined : one(PATIENTS);
  }
}

/** A difference; `at` is the number of steps up to it. */
type Found = StepDifference & { at: number };

/** Returns the first difference that `isWanted`. After another code the sequence goes on, else it ends. */
export type Play = (
  steps: readonly Step[],
  isWanted: (difference: StepDifference) => boolean,
) => Promise<Found | undefined>;

type Shortest = { steps: readonly Step[]; found: StepDifference };

type Explored = { taken: number; shortest: readonly Shortest[] };

/** Steps of one sequence; each sequence has new users. */
const SEQUENCE_STEPS = 25;
/** After so many kinds of differences of outcome the kit stops: more help nobody. So too for those of code. */
const MAX_DIFFERENCES = 3;

/** Two differences are of one kind if they agree in the call, what was due and what came. */
const kindOf = ({ step, expected, actual }: StepDifference) => `${step.kind}: ${expected}, ${actual}`;

type Limits = {
  canAdvance: boolean;
  maxSteps: number;
  /** Whether the server is so slow that no sequence is shortened any more. */
  isLate: () => boolean;
};

/** Plays sequences that `random` draws. Goes on after a difference, to find those of another kind. */
export async function explore(
  play: Play,
  random: Random,
  { canAdvance, maxSteps, isLate }: Limits,
): Promise<Explored> {
  const shortest: Shortest[] = [];
  const known = new Set<string>();
  const count = (isOfCode: boolean) =>
    shortest.filter(({ found }) => (found.breaks === 'code') === isOfCode).length;
  const isWanted = (difference: StepDifference) =>
    !known.has(kindOf(difference)) && count(difference.breaks === 'code') < MAX_DIFFERENCES;
  let taken = 0;
  while (taken < maxSteps && count(false) < MAX_DIFFERENCES) {
    const steps = drawSteps(random, { length: SEQUENCE_STEPS, canAdvance });
    const found = await play(steps, isWanted);
    taken += found ? found.at : steps.length;
    if (!found) continue;
    // The shortened sequence may end in a difference of another kind, which is known then, too.
    let last: StepDifference = found;
    const noted = async (some: readonly Step[]) => {
      const other = await play(some, (each) => isWanted(each) && each.breaks === found.breaks);
      if (other) last = other;
      return other;
    };
    shortest.push({ steps: await shorten(steps.slice(0, found.at), noted, isLate), found: last });
    known.add(kindOf(found)).add(kindOf(last));
  }
  return { taken, shortest };
}

/** Leaves out halves, ever smaller runs, single steps, then any two. The last answer is the wrong one. */
async function shorten(
  steps: readonly Step[],
  play: (steps: readonly Step[]) => Promise<Found | undefined>,
  isLate: () => boolean,
): Promise<readonly Step[]> {
  let shortest = steps;
  const without = async (left: readonly number[]): Promise<boolean> => {
    if (isLate()) return false;
    const rest = shortest.filter((_, at) => !left.includes(at));
    const found = await play(rest);
    if (found) shortest = rest.slice(0, found.at);
    return found !== undefined;
  };
  for (let size = Math.floor(steps.length / 2); size > 1; size = Math.floor(size / 2))
    for (let end = shortest.length - 1; end >= size; end = Math.min(end - size, shortest.length - 1))
      await without(Array.from({ length: size }, (_, index) => end - 1 - index));
  // The body is empty: the condition itself shortens the sequence, until nothing more can be left out.
  while (
    (await anyOf(single(shortest.length - 1), without)) ||
    (await anyOf(pairs(shortest.length - 1), without))
  );
  return shortest;
}

async function anyOf(
  all: readonly number[][],
  attempt: (left: readonly number[]) => Promise<boolean>,
): Promise<boolean> {
  for (const each of all) if (await attempt(each)) return true;
  return false;
}

const single = (count: number): number[][] =>
  Array.from({ length: count }, (_, index) => [count - 1 - index]);

const pairs = (count: number): number[][] =>
  single(count).flatMap(([one = 0]) => Array.from({ length: one }, (_, other) => [one, other]));

/** The length of the sequence that the journal keeps where the server never differs from the model. */
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
  ...ofTable('does', {
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
      canAdvance,
      maxSteps,
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
