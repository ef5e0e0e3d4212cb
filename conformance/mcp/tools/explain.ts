/** The tool `explain`: what a check or a requirement demands, by which clause, and what to do about it. */
import { z } from 'zod';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { requirement, requirements } from '#protocol/requirements.ts';
import { addressOf } from '#protocol/site.ts';
import type { Check } from '../../engine/check/check.ts';
import { weightOf } from '../../engine/check/weight.ts';
import { weightWords } from '../../engine/report/words.ts';
import type { Role } from '../../engine/role.ts';
import { inputs, tool } from '../tool.ts';
import { namesLike, rolesOf } from './names.ts';

/** More scenarios than this are not named one by one. */
const MAX_NAMED_SCENARIOS = 5;

export const explain = tool({
  name: 'explain',
  title: 'What does a check or a requirement demand?',
  about:
    'Explains a check (such as "exchange-token-used-once"), a requirement (such as "4.1-token-unique") or a scenario by its name in a report: what it demands, by which clause, what is played, and what to do when it fails. For a part of a name or title it lists what has it.',
  input: z.object({
    name: inputs.text().describe('A check, a requirement, a scenario, or a part of a name or title.'),
    role: inputs.role().optional(),
  }),
  plays: false,
  async run({ name, role }) {
    const all = await rolesOf(role);
    const row = requirements.find(({ id }) => id === name);
    const texts = [
      ...all.flatMap((each) =>
        each.checks.filter(({ id }) => id === name).map((check) => checkText(check, each)),
      ),
      ...all.flatMap((each) =>
        each.scenarios.filter(({ id }) => id === name).map((scenario) => scenarioText(scenario, each)),
      ),
      ...(row ? [requirementText(row, all)] : []),
    ];
    return texts.length > 0 ? texts.join('\n') : namesLike(name, all);
  },
});

function checkText(check: Check, { id: role, scenarios: all }: Role): string {
  const { id, title, advice, steps = [], scenarios, requirements: demanded } = check;
  const isNamed = scenarios.length <= MAX_NAMED_SCENARIOS;
  const played = all.filter((each) => isNamed && scenarios.includes(each.id));
  return lines([
    `check: ${id} (${role}, ${weightWords(weightOf(demanded))})`,
    `demands: ${title}`,
    ...demanded.flatMap((each) => rowLines(requirement(each))),
    ...played.map((each) => `scenario: ${each.id}: ${each.title}`),
    ...(isNamed ? [] : [`scenarios: ${scenarios.length}`]),
    ...(steps.length > 0 ? [`steps judged: ${[...new Set(steps)].join('; ')}`] : []),
    ...(advice === undefined ? [] : [`to change: ${advice}`]),
    `page: ${addressOf.check(id)}`,
  ]);
}

function scenarioText({ id, title }: Role['scenarios'][number], { id: role, checks }: Role): string {
  const judging = checks.filter(
    ({ scenarios }) => scenarios.length <= MAX_NAMED_SCENARIOS && scenarios.includes(id),
  );
  return lines([
    `scenario: ${id} (${role}): ${title}`,
    ...judging.map((check) => `judged by: ${check.id}: ${check.title}`),
  ]);
}

function requirementText(row: Requirement, all: readonly Role[]): string {
  const { id, excluded } = row;
  const checks = all.flatMap(({ id: role, checks: own }) =>
    own
      .filter(({ requirements: demanded }) => demanded.some((each) => each === id))
      .map((check) => `checked by: ${check.id} (${role}): ${check.title}`),
  );
  const reasons = all.flatMap(({ id: role, notJudged }) => {
    const reason = Object.entries(notJudged).find(([each]) => each === id)?.[1];
    return reason === undefined ? [] : [`not judged of ${role}: ${reason}`];
  });
  return lines([
    ...rowLines(row),
    ...checks,
    ...reasons,
    ...(excluded === undefined ? [] : [`not tested: ${excluded}`]),
    `page: ${addressOf.requirement(id)}`,
  ]);
}

function rowLines({ id, clause, level, source, text, basis, risk }: Requirement): string[] {
  return [
    `requirement: ${id} (${clause}; ${level}, ${source}): ${text}`,
    ...(basis === undefined ? [] : [`the interface says: ${basis}`]),
    ...(risk === undefined ? [] : [`where it is broken: ${risk}`]),
  ];
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
