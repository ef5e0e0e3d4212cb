/** Plays drawn sequences, finds those that the state table answers otherwise, and shortens them. */
import type { Random } from '#protocol/time/random.ts';
import type { Step } from './state-model.ts';
import type { StepDifference } from './take-step.ts';

/** One for each user. Two users can want the same patient, and a user may change. */
export const PATIENT_COUNT = 3;

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

const WEIGHTS: readonly (readonly [Kind, number])[] = [
  ['saveExchangeToken', 5],
  ['authenticate', 7],
  ['saveAuthInfo', 4],
  ['getPatient', 5],
  ['removeAuthInfo', 2],
  ['removeAuthentication', 1],
  ['advance', 2],
];

/** The others draw all names afresh. */
const FAMILIAR_OF_TWELVE = 9;

type Announced = { user: string; token: string; exchangeToken?: string };

export function drawSteps(
  random: Random,
  { length, canAdvance }: { length: number; canAdvance: boolean },
): Step[] {
  const draw = (below: number) => Buffer.from(random(4)).readUInt32BE() % below;
  const one = <T>(list: readonly T[]): T => list[draw(list.length)] as T;
  const kinds = WEIGHTS.flatMap(([kind, weight]) =>
    kind === 'advance' && !canAdvance ? [] : Array.from({ length: weight }, () => kind),
  );
  // True once in so many draws, on average.
  const once = (rarely: number) => draw(rarely) === 0;
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
        return { kind, user, token, ttl, exchangeToken: fresh, rightDigest: !once(12) };
      }
      case 'authenticate':
        return { kind, exchangeToken, patient: patientOf(user) };
      case 'saveAuthInfo': {
        const other = once(2) ? token : one(TOKENS);
        announced.push({ user, token: other });
        return { kind, user, token: other, ttl, signOf: once(6) ? one(USERS) : user };
      }
      default:
        return { kind, user, token };
    }
  });

  /** Mostly the patient of this user; else any patient. Undefined: properties of nobody. */
  function patientOf(user: string): string | undefined {
    if (isFamiliar()) return PATIENTS[(USERS as readonly string[]).indexOf(user)];
    return once(3) ? undefined : one(PATIENTS);
  }
}

/** A difference; `at` is the number of steps up to it. */
export type Found = StepDifference & { at: number };

/** Returns the first difference that `isWanted`. After another code the sequence goes on, else it ends. */
export type Play = (
  steps: readonly Step[],
  isWanted: (difference: StepDifference) => boolean,
) => Promise<Found | undefined>;

export type Shortest = { steps: readonly Step[]; found: StepDifference };

export type Explored = { taken: number; shortest: readonly Shortest[] };

/** Steps of one sequence; each sequence has new users. */
const SEQUENCE_STEPS = 25;
/** After so many kinds of differences of outcome the kit stops: more help nobody. So too for those of code. */
const MAX_DIFFERENCES = 3;

/** What is the same in differences of one kind, whatever the names: the call, what is due, what came. */
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
