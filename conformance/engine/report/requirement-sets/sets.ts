/**
 * Reads and builds frozen sets of checks (requirement sets). With one, a server can be judged by the same
 * checks later, whatever checks were added since. Each set is a JSON file in this folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { requirementSources } from '#protocol/requirements/requirement.ts';
import { type RequirementId, requirement } from '#protocol/requirements.ts';
import type { Check } from '../../check/check.ts';
import { heaviest, type Weight, weightOfRow } from '../../check/weight.ts';
import { InputError } from '../../input-error.ts';

/** The name of the set that is not frozen: all current checks. */
export const LATEST = 'latest';

const frozenCheck = z.strictObject({
  id: z.string(),
  requirements: z.array(z.string()),
  scenarios: z.array(z.string()),
});

/**
 * The file of a set without sources: it is of one role, and each check has a level. Everything counts as the
 * interface.
 */
const withoutSources = z.strictObject({
  role: z.string(),
  checks: z.array(frozenCheck.extend({ level: z.string() })),
  /** Ids of the requirements that the report lists, with or without a check. */
  requirements: z.array(z.string()),
});

const setOfRole = z.strictObject({
  checks: z.array(frozenCheck),
  requirements: z.array(
    z.strictObject({ id: z.string(), source: z.enum(requirementSources), level: z.string() }),
  ),
});

/** The file of a set: what it asks of each role, by the id of the role. */
const withSources = z.strictObject({ roles: z.record(z.string(), setOfRole) });

/** What a frozen set asks of a role. */
export type RequirementSet = {
  /** The name of the file. */
  name: string;
  checks: readonly (z.infer<typeof frozenCheck> & { weight: Weight })[];
  /** Ids of the requirements that the report lists, each with its weight. */
  requirements: ReadonlyMap<string, Weight>;
};

const directory = new URL('./', import.meta.url);

/** The names of the frozen sets, in order; numbers in names count as numbers. */
export function frozenSets(): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * Reads what the frozen set of this name asks of a role. `undefined` for `latest`.
 * @throws InputError that names the existing sets, or says that the set asks nothing of the role
 */
export function requirementSet(name: string, role: string): RequirementSet | undefined {
  if (name === LATEST) return undefined;
  const names = frozenSets();
  if (!names.includes(name))
    throw new InputError(
      `--requirements ${name}: there is no requirement set of this name. Please use one of: ${[LATEST, ...names].join(', ')}.`,
    );
  const file = JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8')) as object;
  const found = 'roles' in file ? ofRole(name, file, role) : ofOneRole(name, file, role);
  if (found) return found;
  throw new InputError(
    `--requirements ${name}: this set asks nothing of this role. Please leave it out, or use one of: ${[LATEST, ...names].join(', ')}.`,
  );
}

function ofRole(name: string, file: object, role: string): RequirementSet | undefined {
  const set = withSources.parse(file).roles[role];
  if (!set) return undefined;
  const requirements = new Map(set.requirements.map((row) => [row.id, weightOfRow(row)]));
  const weightOf = (ids: readonly string[]) => heaviest(ids.flatMap((id) => requirements.get(id) ?? []));
  const checks = set.checks.map((row) => ({ ...row, weight: weightOf(row.requirements) }));
  return { name, checks, requirements };
}

function ofOneRole(name: string, file: object, role: string): RequirementSet | undefined {
  const set = withoutSources.parse(file);
  if (set.role !== role) return undefined;
  const weight = (level: string) => weightOfRow({ source: 'interface', level });
  const checks = set.checks.map(({ level, ...row }) => ({ ...row, weight: weight(level) }));
  const requirements = new Map(set.requirements.map((id) => [id, weight('MUST')]));
  return { name, checks, requirements };
}

/**
 * Returns the checks of a set, with the requirements, the weight and the scenarios that each had when the set
 * was frozen. Without a set, returns all checks.
 */
export function checksOf(checks: readonly Check[], set: RequirementSet | undefined): readonly Check[] {
  if (!set) return checks;
  const frozen = new Map(set.checks.map((row) => [row.id, row]));
  return checks.flatMap((check) => {
    const row = frozen.get(check.id);
    if (!row) return [];
    const { requirements, scenarios, weight } = row;
    return [{ ...check, requirements: requirements as unknown as Check['requirements'], scenarios, weight }];
  });
}

/**
 * Builds what a new set asks of a role.
 * @param rows the requirements that the report lists
 */
export function setOf(checks: readonly Check[], rows: readonly RequirementId[]): z.infer<typeof setOfRole> {
  return {
    checks: checks.map(({ id, requirements, scenarios }) => ({
      id,
      requirements: [...requirements],
      scenarios: [...scenarios],
    })),
    requirements: rows.map((row) => {
      const { id, source, level } = requirement(row);
      return { id, source, level };
    }),
  };
}
