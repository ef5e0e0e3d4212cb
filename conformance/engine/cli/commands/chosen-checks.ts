/** Selects checks by `--only`, and lists what it can name. */
import { requirement } from '#protocol/requirements.ts';
import type { Check } from '../../check/check.ts';
import { weightOf } from '../../check/weight.ts';
import { InputError } from '../../input-error.ts';
import { weightWords } from '../../report/words.ts';
import type { JudgedRole } from '../../role.ts';

type Choosable = Pick<JudgedRole, 'checks' | 'scenarios'>;

/**
 * Selects the checks that `--only` names: comma-separated ids of checks, scenarios or requirements, or the
 * beginning of a clause such as `5.1`. Returns all checks when `only` is undefined.
 * @throws InputError when a name matches nothing
 */
export function chosenChecks(only: string | undefined, { checks, scenarios }: Choosable): readonly Check[] {
  if (only === undefined) return checks;
  const names = only
    .split(',')
    .map((name) => name.trim().replace(/^§/, ''))
    .filter(Boolean);
  const chosen = new Set<Check>();
  for (const name of names) {
    const named = checks.filter(({ id }) => id === name);
    const fitting = named.length > 0 ? named : checks.filter((check) => fits(check, name, scenarios.length));
    if (fitting.length === 0)
      throw new InputError(
        `--only ${name}: no check, scenario, requirement or clause of this name. See --list.`,
      );
    for (const check of fitting) chosen.add(check);
  }
  return checks.filter((check) => chosen.has(check));
}

/** Says which checks over all messages a scenario named by `--only` leaves out; undefined where none. */
export function leftOutBy(only: string | undefined, role: Choosable): string | undefined {
  const chosen = chosenChecks(only, role);
  const names = (only ?? '').split(',').map((name) => name.trim());
  const all = role.scenarios.length;
  const left = role.checks.filter(
    (check) =>
      !chosen.includes(check) &&
      check.scenarios.length >= all &&
      check.scenarios.some((id) => names.includes(id)),
  );
  if (left.length === 0) return undefined;
  const ids = left.map(({ id }) => id).join(',');
  return `--only ${only} leaves out ${left.length} checks over all messages. To judge them too: --only ${only},${ids}`;
}

function fits({ scenarios: played, requirements }: Check, name: string, all: number): boolean {
  // A check that judges every scenario is not selected by the name of a single scenario.
  if (played.includes(name) && played.length < all) return true;
  return requirements.some(
    (each) =>
      each === name ||
      requirement(each)
        .clause.split(', ')
        .some(
          (clause) =>
            clause.replace(/^§/, '') === name ||
            clause.startsWith(`§${name}.`) ||
            clause.startsWith(`§${name} `),
        ),
  );
}

export function listOfChecks({ checks, scenarios }: Choosable): string {
  const ids = new Set(checks.map(({ id }) => id));
  const lines = checks.map(
    ({ id, title, requirements }) =>
      `${id.padEnd(38)} ${weightWords(weightOf(requirements)).padEnd(19)} ${[...new Set(requirements.map((each) => requirement(each).clause))].join(', ')}\n    ${title}`,
  );
  // A scenario that belongs to a single check has the same id, and is listed with the check.
  const shared = scenarios
    .filter(({ id }) => !ids.has(id))
    .map(({ id, title }) => `${id.padEnd(38)} ${title}`);
  return [...lines, ...(shared.length > 0 ? ['', 'Scenarios, which --only takes too:', ...shared] : [])].join(
    '\n',
  );
}
