/** Frozen sets of checks: a server can be judged later by the same set, whatever was added since. */
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../../check/check.ts';
import { InputError } from '../../journal/input-file.ts';

/** The set that is not frozen: all current checks. */
export const LATEST = 'latest';

const setSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      id: z.string(),
      level: z.string(),
      requirements: z.array(z.string()),
      scenarios: z.array(z.string()),
    }),
  ),
  /** The rows of the matrix, with or without a check. */
  requirements: z.array(z.string()),
});

export type RequirementSet = z.infer<typeof setSchema> & { name: string };

const directory = new URL('./', import.meta.url);

/** Names of the frozen sets, in order. */
export function frozenSets(): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * The frozen set of this name; undefined for the latest.
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

/** The checks of a set, without scenarios that were added to them later; all checks without a set. */
export function checksOf(checks: readonly Check[], set: RequirementSet | undefined): readonly Check[] {
  if (!set) return checks;
  const frozen = new Map(set.checks.map((row) => [row.id, row]));
  return checks.flatMap((check) => {
    const row = frozen.get(check.id);
    return row ? [{ ...check, scenarios: row.scenarios }] : [];
  });
}

/** Builds the file content of a set of these checks and rows. */
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
