/**
 * For checks of how an EHR server finds a patient: plays one authenticate for each of several changes to the
 * properties of a patient, and states what must come of it.
 */

import { type EhrExpectation, labelled } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import type { AuthInfo } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

/** What the client sends of a patient. */
export type Properties = Record<string, unknown>;

type Change = (properties: Properties, person: KnownPerson) => Properties;

/** Changes to the properties of a patient. The key says what is changed, and is the label of the step. */
export type Changes<L extends string = string> = Readonly<Record<L, Change>>;

/** The part of a check that these functions make: what it plays, and what it expects. */
type Attempts<L extends string> = {
  expect: Record<L, EhrExpectation>;
  play: (world: EhrWorld<L>) => Promise<void>;
};

/** Chooses the patient whose properties are changed. */
type Choice<L extends string> = (world: EhrWorld<L>) => Promise<KnownPerson> | KnownPerson;

/** Requires that authenticate is refused with each change, as `expected` says. */
export const eachRefused = <L extends string>(
  expected: EhrExpectation,
  changes: Changes<L>,
  whom: Choice<L> = (world) => world.patient(),
): Attempts<L> => ({
  expect: labelled(changes, expected),
  play: async (world) => failEach(world, changes, await whom(world)),
});

/**
 * Requires that authenticate is refused with each change. At last the unchanged properties must succeed, as
 * the step `found`: without this control the refusals prove nothing.
 */
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

/** Plays all changes with one user, each with a new exchange token. For changes that must succeed. */
export function tryEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  const { user } = world.sessionFor(person);
  return attemptEach(world, changes, person, { next: () => world.session(user), isMistake: false });
}

/** Plays each change with a new user, because a server counts the failed matches of a user. */
export function failEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  return attemptEach(world, changes, person, { next: () => world.session(), isMistake: true });
}

/** `next` gives the session of the next attempt. `isMistake`: the report shows the change as a mistake. */
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

/** Changes nothing. */
export const same: Change = (properties) => properties;

/** Replaces or adds one property. */
export const withValue =
  (name: string, value: unknown): Change =>
  (properties) => ({ ...properties, [name]: value });

/** Changes the text of one property. */
export const changed =
  (name: string, change: (text: string) => string): Change =>
  (properties) => ({ ...properties, [name]: change(String(properties[name])) });

/** Writes the day of birth, such as 1985-04-12, in another form. */
export const dated =
  (write: (day: string) => string): Change =>
  (properties, { date }) => ({ ...properties, date: write(date) });

/** Lends a patient for whom the file names a medical card. */
export const cardHolder = (world: EhrWorld) =>
  world.patient(({ medCardId }) => medCardId !== undefined, 'patient with a medCardId');
