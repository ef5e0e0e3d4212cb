/** The page of a check: what it requires, what is played, what to do, and what shows that it can fail. */
import { weightWords } from '#conformance/engine/report/words.ts';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { addressOf, SITE } from '#protocol/site.ts';
import { type DocumentedCheck, type RoleKit, roleWords } from '../kit.ts';
import { code, link, page, places } from '../markdown.ts';
import { weightOf } from './checks.ts';

/** More scenarios than this are not named one by one where a check judges all of them. */
const MAX_NAMED_SCENARIOS = 20;

/** Returns the pages of all checks, by path. Checks of several roles with one id share a page. */
export function checkPages(
  kits: readonly RoleKit[],
  requirements: readonly Requirement[],
): Map<string, string> {
  const ids = new Set(kits.flatMap(({ checks }) => checks.map(({ id }) => id)));
  return new Map([...ids].map((id) => [`checks/${id}.md`, checkPage(id, kits, requirements)]));
}

function checkPage(id: string, kits: readonly RoleKit[], requirements: readonly Requirement[]): string {
  const own = kits.flatMap((kit) => {
    const check = kit.checks.find((each) => each.id === id);
    return check ? [{ kit, check }] : [];
  });
  const [first] = own;
  if (first && own.length === 1)
    return page(`# ${first.check.title}`, ...sections(first.check, first.kit, requirements, '##'));
  return page(
    `# ${id}`,
    'Checks of several roles have this id.',
    ...own.flatMap(({ kit, check }) => [
      `## Of ${roleWords[kit.role].many}: ${check.title}`,
      ...sections(check, kit, requirements, '###'),
    ]),
  );
}

function sections(
  check: DocumentedCheck,
  kit: RoleKit,
  requirements: readonly Requirement[],
  heading: string,
): string[] {
  const { id, advice, watchable } = check;
  const proofs = kit.defects.filter(({ caughtBy }) => caughtBy === id);
  const about = `The check ${code(id)} judges ${link(roleWords[kit.role].one, `${SITE}checks/${kit.role}`)}. It counts for: ${weightWords(weightOf(check, requirements))}.`;
  return [
    watchable ? `${about} It judges a session driven by a person, too.` : about,
    `${heading} What it requires`,
    ...check.requirements.map((requirement) => requirementText(requirement, requirements)),
    `${heading} What is played`,
    playedText(check, kit),
    ...(advice === undefined ? [] : [`${heading} What to do when it fails`, advice]),
    `${heading} Play it alone`,
    `\`\`\`sh\nnpx embedded-ehr-harness conformance ${kit.role} --config my-file.yaml --only ${id}\n\`\`\``,
    `${heading} Defects that it must find`,
    proofs.map(({ id: defect, title }) => `- ${code(defect)}: ${title}`).join('\n') ||
      'No defect of the catalogue names it.',
  ];
}

function requirementText(id: string, requirements: readonly Requirement[]): string {
  const row = requirements.find((each) => each.id === id);
  if (!row) return `- ${code(id)}`;
  const lines = [
    `- ${row.text} (${link(code(id), addressOf.requirement(id))}: ${row.level}, ${row.source}, ${places(row.clause)})`,
  ];
  if (row.basis !== undefined) lines.push(`  - The interface says: ${row.basis}`);
  if (row.risk !== undefined) lines.push(`  - Where it is broken, ${row.risk}.`);
  return lines.join('\n');
}

function playedText({ scenarios, steps = [] }: DocumentedCheck, kit: RoleKit): string {
  const isEach = scenarios.length > MAX_NAMED_SCENARIOS && scenarios.length === kit.scenarios.length;
  const titleOf = (id: string) => kit.scenarios.find((each) => each.id === id)?.title ?? '';
  const played = isEach
    ? `All ${link('scenarios', `${SITE}checks/${kit.role}#scenarios`)} of the role are judged.`
    : scenarios.map((id) => `- ${code(id)}: ${titleOf(id)}`).join('\n');
  if (steps.length === 0) return played;
  return `${played}\n\nThe steps that it judges: ${[...new Set(steps)].map(code).join(', ')}.`;
}
