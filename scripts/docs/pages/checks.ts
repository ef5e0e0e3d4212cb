/** The pages of checks: the checks of a role, how they judge, and what shows that they can fail. */
import { heaviest, type Weight, weightOfRow } from '#conformance/engine/check/weight.ts';
import { weightWords } from '#conformance/engine/report/words.ts';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { type DocumentedCheck, type RoleKit, roleWords } from '../kit.ts';
import { code, GENERATED, page, table } from '../markdown.ts';

/** More scenarios than this are not named one by one where a check judges all of them. */
const MAX_NAMED_SCENARIOS = 20;

/** Returns the page as Markdown. */
export function checksPage(kit: RoleKit, requirements: readonly Requirement[]): string {
  const { checks, scenarios, defects } = kit;
  const { one, guide } = roleWords[kit.role];
  const count = (is: (check: DocumentedCheck) => boolean) => String(checks.filter(is).length);
  const weightIn = (check: DocumentedCheck) => weightWords(weightOf(check, requirements));
  return page(
    GENERATED,
    `# Checks of ${kit.role === 'auth-server' ? 'the conformance kit' : one}`,
    `What the kit judges ${one} by. What a check counts for follows from the requirements that it judges. A broken MUST of the interface makes a party not conformant, an essential weakness makes it not safe; both fail the run. A SHOULD of the interface and what is recommended for safety are warnings, and fail the run with \`--strict\`. Where the reference decided an open point otherwise, that is a remark, and fails the run with \`--like-the-reference\`. How to run it: ${guide}.`,
    table(
      ['Checks', ...WEIGHTS, 'Judged in watch mode too', 'Named by a defect'],
      [
        [
          String(checks.length),
          ...WEIGHTS.map((words) => count((check) => weightIn(check) === words)),
          count(({ watchable }) => watchable),
          count(({ id }) => defects.some(({ caughtBy }) => caughtBy === id)),
        ],
      ],
    ),
    'The [defects](defects.md) that name a check show that it can fail. A check that none names is one of a series (the same judgement for another fault of the EHR server), or waits for its defect.',
    ...checks.flatMap((check) => [
      `## ${code(check.id)}`,
      `${check.title}.`,
      details(check, kit, requirements),
    ]),
    '## Scenarios',
    'What the kit does in the place of clients, in this order.',
    table(
      ['Scenario', 'What is played', 'Judged by'],
      scenarios.map((scenario) => [
        code(scenario.id),
        scenario.title,
        count((check) => check.scenarios.includes(scenario.id)),
      ]),
    ),
  );
}

/** What checks count for, in words. */
const WEIGHTS = ['interface MUST', 'interface SHOULD', 'safety essential', 'safety recommended', 'reference'];

function weightOf(check: DocumentedCheck, requirements: readonly Requirement[]): Weight {
  return heaviest(
    requirements.filter(({ id }) => check.requirements.includes(id)).map((row) => weightOfRow(row)),
  );
}

function details(check: DocumentedCheck, kit: RoleKit, requirements: readonly Requirement[]): string {
  const proofs = kit.defects.filter(({ caughtBy }) => caughtBy === check.id);
  const required = check.requirements.map((id) => {
    const row = requirements.find((each) => each.id === id);
    return row ? `  - ${row.text} (${row.clause}, ${code(id)})` : `  - ${code(id)}`;
  });
  const { length } = check.scenarios;
  const isEach = length > MAX_NAMED_SCENARIOS && length === kit.scenarios.length;
  return [
    `- Counts for: ${weightWords(weightOf(check, requirements))}${check.watchable ? '; judged in watch mode too' : ''}`,
    '- Requires:',
    ...required,
    `- Scenarios: ${isEach ? 'all' : check.scenarios.map(code).join(', ')}`,
    `- Defects that it must find: ${proofs.map(({ id }) => code(id)).join(', ') || 'none in the catalogue'}`,
  ].join('\n');
}
