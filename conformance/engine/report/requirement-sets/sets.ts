/**
 * Reads and builds frozen sets of checks (requirement sets). With one, a server can be judged by the same
 * checks later, whatever checks were added since. Each set is a JSON file in this folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../../check/check.ts';
import { InputError } from '../../journal/input-file.ts';

/** The name of the set that is not frozen: all current checks. */
export const LATEST = 'latest';

/** The content of such a file. */
const setSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      id: z.string(),
      level: z.string(),
      requirements: z.array(z.string()),
      scenarios: z.array(z.string()),
    }),
  ),
  /** Ids of the requirements that the report lists, with or without a check. */
  requirements: z.array(z.string()),
});

/** A frozen set; its name is the name of its file. */
export type RequirementSet = z.infer<typeof setSchema> & { name: string };

const directory = new URL('./', import.meta.url);

/** The names of the frozen sets, in order; numbers in names count as numbers. */
export function frozenSets(): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * Reads the frozen set of this name. `undefined` for `latest`.
 * @throws InputError that names the existing sets
 */
export function requirementSet(name: string): RequirementSet | undefined {
  if (name === LATEST) return undefined;
  const names = frozenSets();
  if (!names.includes(name))
    throw new InputError(
      `--requirements ${name}: there is no requirement set of this name. Please use one of: ${[LATEST, ...names].join(', ')}.`,
    );
  return { name, ...setSchema.parse(JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'))) };
}

/**
 * Returns the checks of a set, with the scenarios that each had when the set was frozen. Without a set,
 * returns all checks.
 */
export function checksOf(checks: readonly Check[], set: RequirementSet | undefined): readonly Check[] {
  if (!set) return checks;
  const frozen = new Map(set.checks.map((row) => [row.id, row]));
  return checks.flatMap((check) => {
    const row = frozen.get(check.id);
    return row ? [{ ...check, scenarios: row.scenarios }] : [];
  });
}

/**
 * Builds the content of the file for a new set.
 * @param rows the requirements that the report lists
 */
export function setOf(
  checks: readonly Check[],
  rows: readonly RequirementId[],
): Omit<RequirementSet, 'name'> {
  return {
    checks: checks.map(({ id, level, requirements, scenarios }) => ({
      id,
      level,
      requirements: [...requirements],
      scenarios: [...scenarios],
    })),
    requirements: [...rows],
  };
}
