/** Attempts to authenticate with changed properties, for the checks of matching. */

import { done, type EhrExpectation, labelled } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import type { AuthInfo } from '../../world/messages.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld } from '../../world/world.ts';

export type Properties = Record<string, unknown>;

type Change = (properties: Properties, person: KnownPerson) => Properties;

/** Changes to the properties of a patient, by what is done. */
export type Changes<L extends string = string> = Readonly<Record<L, Change>>;

/** What a check plays, and expects, where one patient is sought by each change. */
type Attempts<L extends string> = {
  expect: Record<L, EhrExpectation>;
  play: (world: EhrWorld<L>) => Promise<void>;
};

type Choice<L extends string> = (world: EhrWorld<L>) => Promise<KnownPerson> | KnownPerson;

/** Each change finds the patient. */
export const eachFinds = <L extends string>(
  changes: Changes<L>,
  whom: Choice<L> = (world) => world.patient(),
): Attempts<L> => ({
  expect: labelled(changes, done),
  play: async (world) => tryEach(world, changes, await whom(world)),
});

/** Each change is refused. */
export const eachRefused = <L extends string>(
  expected: EhrExpectation,
  changes: Changes<L>,
  whom: Choice<L> = (world) => world.patient(),
): Attempts<L> => ({
  expect: labelled(changes, expected),
  play: async (world) => failEach(world, changes, await whom(world)),
});

/** Each change is refused, and the patient is found at last, which is the control of this label. */
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

/** One user authenticates as one patient again and again, each time with a new exchange token. */
export function tryEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  const { user } = world.sessionFor(person);
  return attemptEach(world, changes, person, { next: () => world.session(user), isMistake: false });
}

/** A new user for each attempt, so that failed matches are not counted together. */
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
    // These two stand beside the properties, as clients of the field send them (decision 30).
    const { searchStrategy, medCardId, ...properties } = change(propertiesOf(person), person);
    const params = {
      ...(searchStrategy !== undefined && { searchStrategy }),
      ...(medCardId !== undefined && { medCardId }),
    };
    const mistake = isMistake ? { mistake: label } : {};
    await world.signIn(label, { person, session: next() }, { properties, params, ...mistake });
  }
}

export const same: Change = (properties) => properties;

export const without =
  (...names: string[]): Change =>
  (properties) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));

export const withValue =
  (name: string, value: unknown): Change =>
  (properties) => ({ ...properties, [name]: value });

export const changed =
  (name: string, change: (text: string) => string): Change =>
  (properties) => ({ ...properties, [name]: change(String(properties[name])) });

/** Writes the day of birth otherwise. */
export const dated =
  (write: (day: string) => string): Change =>
  (properties, { date }) => ({ ...properties, date: write(date) });

/** The same change of name and surname. */
export const named =
  (change: (text: string) => string): Change =>
  (properties, { name, surname }) => ({ ...properties, name: change(name), surname: change(surname) });

/** A patient whom a medical card identifies. */
export const cardHolder = (world: EhrWorld) =>
  world.patient(({ medCardId }) => medCardId !== undefined, 'patient with a medCardId');
