/** The page of checks: of each role, what they require and count for, and the scenarios that they judge. */
import { heaviest, isJudged, type Weight, weightOfRow } from '#conformance/engine/check/weight.ts';
import { weightWords } from '#conformance/engine/report/words.ts';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { pathOf } from '#protocol/site.ts';
import { type DocumentedCheck, type RoleKit, roleWords } from '../kit.ts';
import { code, link, page, table } from '../markdown.ts';

/** What checks count for, in words. */
const WEIGHTS = ['interface MUST', 'interface SHOULD', 'safety essential', 'safety recommended'];

export function checksPage(kits: readonly RoleKit[], requirements: readonly Requirement[]): string {
  const placed = new Set<string>();
  return page(
    '# Checks',
    'This page says what the conformance kit judges a party by, and what each check counts for.',
    table(
      ['Checks of', 'All', ...WEIGHTS],
      kits.map((kit) => countsOf(kit, requirements)),
    ),
    'What a check counts for follows from the requirements that it judges. A broken MUST of the interface makes a party not conformant, an essential weakness makes it not safe; both fail the run. A SHOULD of the interface, a fact of the field (clients that are deployed depend on it) and what is recommended for safety are warnings, and fail the run with `--strict`.',
    ...kits.flatMap((kit) => roleSection(kit, requirements, placed)),
  );
}

/** @param placed the ids that have a place already: roles share some */
function roleSection(
  { role, checks, scenarios }: RoleKit,
  requirements: readonly Requirement[],
  placed: Set<string>,
): string[] {
  const place = (id: string) => {
    const anchor = placed.has(id) ? '' : `<a id="${id}"></a>`;
    placed.add(id);
    return `${anchor}${code(id)}`;
  };
  return [
    `## Checks of ${roleWords[role].many}`,
    `To play one alone: \`npm run conformance -- ${role} --config my-file.yaml --only NAME\`.`,
    table(
      ['Check', 'What must hold', 'Counts for', 'Requirements', 'What to do when it fails'],
      checks.map((check) => [
        place(check.id),
        check.title,
        weightWords(weightOf(check, requirements)),
        check.requirements.map((id) => link(code(id), pathOf.requirement(id))).join(', '),
        check.advice ?? '',
      ]),
    ),
    `### Scenarios of ${roleWords[role].many}`,
    'What the kit does in the place of the other parties, in this order.',
    table(
      ['Scenario', 'What is played', 'Judged by'],
      scenarios.map(({ id, title }) => [
        code(id),
        title,
        String(checks.filter((check) => check.scenarios.includes(id)).length),
      ]),
    ),
  ];
}

function weightOf(check: DocumentedCheck, requirements: readonly Requirement[]): Weight {
  return heaviest(
    requirements
      .filter(({ id }) => check.requirements.includes(id))
      .filter(isJudged)
      .map(weightOfRow),
  );
}

function countsOf({ role, checks }: RoleKit, requirements: readonly Requirement[]): string[] {
  const count = (is: (check: DocumentedCheck) => boolean) => String(checks.filter(is).length);
  return [
    roleWords[role].many,
    String(checks.length),
    ...WEIGHTS.map((words) => count((check) => weightWords(weightOf(check, requirements)) === words)),
  ];
}
