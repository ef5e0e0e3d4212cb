/** Attempts to authenticate with changed properties, for the checks of matching. */
import type { KnownPerson } from '../../settings.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld } from '../../world/world.ts';

export type Properties = Record<string, unknown>;

/** Changes to the properties of a patient, by what is done. */
export type Changes = Readonly<Record<string, (properties: Properties, person: KnownPerson) => Properties>>;

/** One user authenticates as one patient again and again, each time with a new exchange token. */
export async function tryEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  const user = world.sessionFor(person);
  for (const [label, change] of Object.entries(changes)) {
    const pending = await world.pending({ person, session: world.session(user.user) });
    const { properties, params } = placed(change(propertiesOf(person), person));
    await world.authenticate(label, pending, properties, { params });
  }
}

/** A new user for each attempt, so that failed matches are not counted together. */
export async function failEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  for (const [label, change] of Object.entries(changes)) {
    const pending = await world.pending({ person, session: world.session() });
    const { properties, params } = placed(change(propertiesOf(person), person));
    await world.authenticate(label, pending, properties, { params, mistake: label });
  }
}

/** searchStrategy and medCardId stand beside the properties, as clients of the field send (decision 30). */
function placed({ searchStrategy, medCardId, ...properties }: Properties) {
  const params = {
    ...(searchStrategy !== undefined && { searchStrategy }),
    ...(medCardId !== undefined && { medCardId }),
  };
  return { properties, params };
}

export const without =
  (...names: string[]) =>
  (properties: Properties): Properties =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));

export const withValue = (name: string, value: unknown) => (properties: Properties) => ({
  ...properties,
  [name]: value,
});

export const changed = (name: string, change: (text: string) => string) => (properties: Properties) => ({
  ...properties,
  [name]: change(String(properties[name])),
});
