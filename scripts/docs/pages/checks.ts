/** The lists of checks: of each role, how they count, and the scenarios that they judge. */
import { heaviest, type Weight, weightOfRow } from '#conformance/engine/check/weight.ts';
import { weightWords } from '#conformance/engine/report/words.ts';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { addressOf, SITE } from '#protocol/site.ts';
import { type DocumentedCheck, type RoleKit, roleWords } from '../kit.ts';
import { code, link, page, table } from '../markdown.ts';

/** What checks count for, in words. */
const WEIGHTS = ['interface MUST', 'interface SHOULD', 'safety essential', 'safety recommended', 'reference'];

/** The page that leads to the checks of all roles. */
export function checksIndex(kits: readonly RoleKit[], requirements: readonly Requirement[]): string {
  return page(
    '# Checks',
    'This page says what the conformance kit judges a party by, and what each check counts for.',
    table(
      ['Checks of', 'All', ...WEIGHTS, 'Judged in watch mode too', 'Named by a defect'],
      kits.map((kit) => countsOf(kit, requirements)),
    ),
    `What a check counts for follows from the requirements that it judges. A broken MUST of the interface makes a party not conformant, an essential weakness makes it not safe; both fail the run. A SHOULD of the interface and what is recommended for safety are warnings, and fail the run with \`--strict\`. Where the reference decided an open point otherwise, that is a remark, and fails the run with \`--like-the-reference\`.`,
  );
}

/** The list of the checks of a role. */
export function checksPage(kit: RoleKit, requirements: readonly Requirement[]): string {
  const { checks, scenarios } = kit;
  return page(
    `# Checks of ${roleWords[kit.role].many}`,
    `This page lists the ${checks.length} checks by which the kit judges ${roleWords[kit.role].one}, and the scenarios that it plays.`,
    table(
      ['Check', 'What must hold', 'Counts for'],
      checks.map((check) => [
        link(code(check.id), addressOf.check(check.id)),
        check.title,
        weightWords(weightOf(check, requirements)),
      ]),
    ),
    '## Scenarios',
    'What the kit does in the place of the other parties, in this order.',
    table(
      ['Scenario', 'What is played', 'Judged by'],
      scenarios.map(({ id, title }) => [
        code(id),
        title,
        String(checks.filter((check) => check.scenarios.includes(id)).length),
      ]),
    ),
  );
}

/** Returns what a check counts for. */
export function weightOf(check: DocumentedCheck, requirements: readonly Requirement[]): Weight {
  return heaviest(
    requirements.filter(({ id }) => check.requirements.includes(id)).map((row) => weightOfRow(row)),
  );
}

function countsOf({ role, checks, defects }: RoleKit, requirements: readonly Requirement[]): string[] {
  const count = (is: (check: DocumentedCheck) => boolean) => String(checks.filter(is).length);
  return [
    link(roleWords[role].many, `${SITE}checks/${role}`),
    String(checks.length),
    ...WEIGHTS.map((words) => count((check) => weightWords(weightOf(check, requirements)) === words)),
    count(({ watchable }) => watchable),
    count(({ id }) => defects.some(({ caughtBy }) => caughtBy === id)),
  ];
}
