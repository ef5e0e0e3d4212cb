/** The requirements, the tests that prove them, the checks that judge them, and what is wrong with that. */
import { parties, type Requirement, requirementSources } from '#protocol/requirements/requirement.ts';
import { pathOf } from '#protocol/site.ts';
import type { Citation } from '../citations.ts';
import type { Kit } from '../kit.ts';
import { code, link, page, places, table } from '../markdown.ts';

/** A test that proves a requirement, or a check that judges it. */
export type Evidence = {
  readonly id: string;
  readonly by: 'test' | 'check';
  /** What it does, to be followed by the id. */
  readonly does: string;
  /** The test with its file, or the check with its page, as Markdown. */
  readonly text: string;
};

/** The requirements with their evidence: tests first, then checks, each in its order. */
export type Matrix = {
  readonly requirements: readonly Requirement[];
  readonly evidence: readonly Evidence[];
};

export function matrixOf(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
  kit: Kit,
): Matrix {
  const tests = citations.map(
    ({ id, file, title }): Evidence => ({
      id,
      by: 'test',
      does: `${file}: "${title}" cites`,
      text: `${title} (${code(file)})`,
    }),
  );
  const checks = kit.roles.flatMap(({ checks: all }) =>
    all.flatMap(({ id: check, requirements: judged }) =>
      judged.map(
        (id): Evidence => ({
          id,
          by: 'check',
          does: `The check ${check} judges`,
          text: link(code(check), pathOf.check(check)),
        }),
      ),
    ),
  );
  return { requirements, evidence: [...tests, ...checks] };
}

export function requirementsPage({ requirements, evidence }: Matrix): string {
  const number = (by: Evidence['by'][]) =>
    requirements.filter(({ id }) => evidence.some((one) => one.id === id && by.includes(one.by))).length;
  const open = requirements.length - number(['test', 'check']);
  const tests = new Set(evidence.filter(({ by }) => by === 'test').map(({ text }) => text)).size;
  return page(
    '# Requirements',
    'This page lists what each party must do, where it stands, and how many tests and checks rest on it. Each row says where it comes from:',
    SOURCES,
    "Ids start with the section of the interface; `D` stands for a decision on a point that the interface leaves open, `DE` for the error table, `DA` for the authorization server’s own interface, `X` for this project’s own design, `K` for good practice. A row keeps its id when its source changes. A test names what it proves: `proves(['4.1-token-unique'], …)`. A check of the conformance kit judges it on a program that is not ours. " +
      `How a row is contested: ${link('whose law', `/judge#whose-law`)}.`,
    '## Rows by party and source',
    'A row of two parties counts for each.',
    sourcesTable(requirements),
    '## Rows and evidence',
    table(
      ['Requirements', 'Proven by tests', 'Judged by checks', 'Open', 'Tests that prove them'],
      [[requirements.length, number(['test']), number(['check']), open, tests].map(String)],
    ),
    ...[...groups(requirements)].flatMap(([heading, rows]) => [`## ${heading}`, matrixTable(rows, evidence)]),
  );
}

/** Lists what makes the matrix incomplete or untrue, one sentence each. */
export function requirementProblems({ requirements, evidence }: Matrix): string[] {
  const wrong = evidence
    .filter(({ id }) => !requirements.some((row) => row.id === id))
    .map(({ id, does }) => `${does} ${id}, and there is no such requirement.`);
  const open = requirements.filter((row) => !evidence.some(({ id }) => id === row.id));
  return [
    ...wrong,
    ...open.map(({ id, text }) => `${id} is proven by no test and judged by no check: ${text}`),
  ];
}

function matrixTable(rows: readonly Requirement[], evidence: readonly Evidence[]): string {
  return table(
    ['Id', 'Who', 'Source', 'Level', 'Place', 'Requirement', 'Tests', 'Checks'],
    rows.map((row) => {
      const { id, party, source, level, clause, text, basis, risk } = row;
      const about = [
        text,
        ...(basis === undefined ? [] : [`The interface says, in our words: ${basis}`]),
        ...(risk === undefined ? [] : [`Where it is broken, ${risk}.`]),
      ].join('<br>');
      const number = String(evidence.filter((one) => one.id === id && one.by === 'test').length);
      const checks = evidence.filter((one) => one.id === id && one.by === 'check');
      const judged = checks.map(({ text: check }) => check).join(', ');
      return [placeOf(row), [party].flat().join(', '), source, level, places(clause), about, number, judged];
    }),
  );
}

function placeOf({ id }: Requirement): string {
  return `<a id="${id}"></a>${code(id)}`;
}

const SOURCES = `- \`interface\`: a sentence of the interface, which is told in our own words. The row demands no more than it.
- \`field\`: what deployed clients and servers depend on.
- \`decision\`: a point that the interface leaves open, decided for this project’s own parties.
- \`practice\`: what is safe or usable without being stated, with who can do what where it is broken. MUST is essential, SHOULD is recommended.

A broken row of \`interface\` or \`field\` makes a party not conformant; one of \`practice\` is a weakness of its safety; one of \`decision\` is a difference from the reference.`;

function sourcesTable(requirements: readonly Requirement[]): string {
  return table(
    ['Party', ...requirementSources.map((source) => code(source))],
    parties.map((party) => {
      const own = requirements.filter((row) => [row.party].flat().includes(party));
      return [party, ...requirementSources.map((of) => countsOf(own.filter(({ source }) => source === of)))];
    }),
  );
}

/** Counts rows by level, such as "12 MUST, 3 SHOULD". */
function countsOf(rows: readonly Requirement[]): string {
  const counts = LEVELS.map((of) => [rows.filter(({ level }) => level === of).length, of] as const);
  const there = counts.filter(([number]) => number > 0).map(([number, level]) => `${number} ${level}`);
  return there.join(', ') || '0';
}

const LEVELS = ['MUST', 'SHOULD', 'MAY'] as const;

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
