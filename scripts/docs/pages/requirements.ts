/**
 * `docs/requirements.md`: the matrix of the requirements, the tests that prove them and the checks of the kit
 * that judge them, and what is wrong with it.
 */
import type { Requirement } from '#protocol/requirements.ts';
import type { Citation } from '../citations.ts';
import type { DocumentedCheck } from '../kit.ts';
import { code, GENERATED, page, slug, table } from '../markdown.ts';

type Checks = readonly Pick<DocumentedCheck, 'id' | 'requirements'>[];

/** Checks by the page that describes them. */
type ChecksByPage = Readonly<Record<string, Checks>>;

/** Returns the page as Markdown. */
export function requirementsPage(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
  checksByPage: ChecksByPage,
): string {
  const checks = Object.values(checksByPage).flat();
  const proven = requirements.filter(({ id }) => citations.some((citation) => citation.id === id));
  const judged = requirements.filter(({ id }) => checks.some((check) => check.requirements.includes(id)));
  const excluded = requirements.filter((row) => row.excluded !== undefined);
  const open = requirements.length - new Set([...proven, ...judged]).size - excluded.length;
  const tests = new Set(citations.map(({ file, title }) => `${file}\n${title}`)).size;
  return page(
    GENERATED,
    '# Requirements, and what proves and judges them',
    "Ids start with the section of the interface; `D` stands for a decision on a point that the interface leaves open, `DE` for the error table, `DA` for the authorization server’s own interface, `X` for this project’s own design, `K` for good practice that the conformance kit judges, too. A test names what it proves: `proves(['4.1-token-unique'], …)`. A [check](checks.md) of the conformance kit judges it on a server that is not ours.",
    table(
      ['Requirements', 'Proven by tests', 'Judged by checks', 'Excluded', 'Open', 'Tests that prove them'],
      [[requirements.length, proven.length, judged.length, excluded.length, open, tests].map(String)],
    ),
    ...[...groups(requirements)].flatMap(([heading, rows]) => [`## ${heading}`, matrix(rows, citations, checksByPage)]),
    '## Excluded',
    'No test can or need prove these.',
    table(
      ['Id', 'Requirement', 'Reason'],
      excluded.map((row) => [code(row.id), row.text, row.excluded ?? '']),
    ),
  );
}

/** Lists what makes the matrix incomplete or untrue, one sentence each. */
export function requirementProblems(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
  checks: Checks,
): string[] {
  const known = new Map(requirements.map((row) => [row.id, row]));
  const judged = checks.flatMap((check) => check.requirements.map((id) => ({ check: check.id, id })));
  const covered = new Set([...citations, ...judged].map(({ id }) => id));
  const wrong = citations.flatMap(({ id, file, title }) => {
    const row = known.get(id);
    if (!row) return [`${file}: "${title}" cites ${id}, and there is no such requirement.`];
    return row.excluded === undefined ? [] : [`${file}: "${title}" cites ${id}, which is excluded as untestable.`];
  });
  const misjudged = judged.flatMap(({ check, id }) => {
    const row = known.get(id);
    if (!row) return [`The check ${check} judges ${id}, and there is no such requirement.`];
    return row.excluded === undefined ? [] : [`The check ${check} judges ${id}, which is excluded as untestable.`];
  });
  const open = requirements.filter((row) => row.excluded === undefined && !covered.has(row.id));
  return [
    ...wrong,
    ...misjudged,
    ...open.map(({ id, text }) => `${id} is proven by no test and judged by no check: ${text}`),
  ];
}

function matrix(rows: readonly Requirement[], citations: readonly Citation[], checksByPage: ChecksByPage): string {
  return table(
    ['Id', 'Who', 'Level', 'Requirement', 'Proven by', 'Judged by'],
    rows.map((row) => {
      const { id, party, level, text } = row;
      const proofs = citations.filter((citation) => citation.id === id).map(proof);
      const judges = Object.entries(checksByPage).flatMap(([page, checks]) =>
        checks.filter((check) => check.requirements.includes(id)).map((check) => judge(check, page)),
      );
      const by = row.excluded === undefined ? proofs.join('<br>') : '(excluded)';
      const open = judges.length === 0 ? '**open**' : '';
      return [code(id), [party].flat().join(', '), level, `${text} (${row.clause})`, by || open, judges.join('<br>')];
    }),
  );
}

function proof({ file, title }: Citation): string {
  return `[${title.replaceAll('[', '\\[').replaceAll(']', '\\]')}](../${file})`;
}

function judge({ id }: Checks[number], page: string): string {
  return `[${code(id)}](${page}#${slug(id)})`;
}

/** Groups the rows by the heading of their section, in the order of the table. */
function groups(requirements: readonly Requirement[]): Map<string, Requirement[]> {
  const sections = new Map<string, Requirement[]>();
  for (const row of requirements) {
    const heading = headingOf(row.id);
    sections.set(heading, [...(sections.get(heading) ?? []), row]);
  }
  return sections;
}

const SECTIONS: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Messages and their fields',
  '3': 'States and transitions',
  '4': 'Methods',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};
const DECISIONS: Readonly<Record<string, string>> = {
  DE: 'Decisions on errors',
  DA: 'The authorization server’s own interface',
  X: 'Design of this project',
  K: 'Good practice',
};

function headingOf(id: string): string {
  const [prefix = ''] = id.split('-');
  const section = SECTIONS[prefix.charAt(0)];
  if (section !== undefined) return `§${prefix.charAt(0)} ${section}`;
  return DECISIONS[prefix] ?? 'Decisions on open points';
}
