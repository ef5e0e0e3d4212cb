/** Plays one authenticate for each of several changes to the properties of a patient. */
import { type EhrExpectation, labelled } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import type { AuthInfo } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

export type Properties = Record<string, unknown>;

type Change = (properties: Properties, person: KnownPerson) => Properties;

/** The key says what is changed, and is the label of the step. */
export type Changes<L extends string = string> = Readonly<Record<L, Change>>;

type Attempts<L extends string> = {
  expect: Record<L, EhrExpectation>;
  play: (world: EhrWorld<L>) => Promise<void>;
};

type Choice<L extends string> = (world: EhrWorld<L>) => Promise<KnownPerson> | KnownPerson;

export const eachRefused = <L extends string>(
  expected: EhrExpectation,
  changes: Changes<L>,
  whom: Choice<L> = (world) => world.patient(),
): Attempts<L> => ({
  expect: labelled(changes, expected),
  play: async (world) => failEach(world, changes, await whom(world)),
});

/** At last the unchanged properties must succeed: without this control the refusals prove nothing. */
export const eachMisses = <L extends string, C extends string>(
  expected: EhrExpectation,
  found: C,
  changes: Changes<L>,
  whom: Choice<L | C> = (world) => world.patient(),
) => ({
  control: [found],
  expect: labelled(changes, expected),
  async play(world: EhrWorld<L | C>) {
    const person = await whom(world);
    await failEach(world, changes, person);
    await tryEach(world, { [found]: same }, person);
  },
});

/** Plays all changes with one user. For changes that must succeed. */
export function tryEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  const { user } = world.sessionFor(person);
  return attemptEach(world, changes, person, { next: () => world.session(user), isMistake: false });
}

/** Plays each change with a new user, because a server counts the failed matches of a user. */
export function failEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  return attemptEach(world, changes, person, { next: () => world.session(), isMistake: true });
}

type Attempting = { next: () => AuthInfo; isMistake: boolean };

async function attemptEach(
  world: EhrWorld,
  changes: Changes,
  person: KnownPerson,
  { next, isMistake }: Attempting,
): Promise<void> {
  for (const [label, change] of Object.entries(changes)) {
    // searchStrategy and medCardId are members of params beside patientProperties (decision 30).
    const { searchStrategy, medCardId, ...properties } = change(
      world.parts.dialect.properties(person),
      person,
    );
    const params = {
      ...(searchStrategy !== undefined && { searchStrategy }),
      ...(medCardId !== undefined && { medCardId }),
    };
    const mistake = isMistake ? { mistake: label } : {};
    await world.signIn(label, { person, session: next() }, { properties, params, ...mistake });
  }
}

export const same: Change = (properties) => properties;

export const withValue =
  (name: string, value: unknown): Change =>
  (properties) => ({ ...properties, [name]: value });

export const changed =
  (name: string, change: (text: string) => string): Change =>
  (properties) => ({ ...properties, [name]: change(String(properties[name])) });

export const dated =
  (write: (day: string) => string): Change =>
  (properties, { date }) => ({ ...properties, date: write(date) });

export const cardHolder = (world: EhrWorld) =>
  world.patient(({ medCardId }) => medCardId !== undefined, 'patient with a medCardId');
