/**
 * `docs/defects.md`: the right programs, defects and harmless variants that prove the kit, and what it does
 * not judge.
 */
import { type Kit, ofShape, type RoleKit, roleWords } from '../kit.ts';
import { code, GENERATED, page, slug, table } from '../markdown.ts';
import { type Scores, scoreSentence, shareOfShape } from '../score.ts';

/** Returns the page as Markdown, with the scores of the last self-tests. */
export function defectsPage({ roles }: Kit, scores: Scores): string {
  const sections = roles.flatMap((kit) =>
    kit.role === 'auth-server' ? shapesSection(kit, scores) : oneShapeSection(kit, scores),
  );
  return page(GENERATED, '# Defects and harmless variants', ...sections);
}

/** The role whose right program has several shapes. */
function shapesSection(kit: RoleKit, scores: Scores): string[] {
  const { defects, harmless, shapes } = kit;
  return [
    'Each row is a right authorization server with one thing changed. `npm run conformance -- self-test` judges all of them: every defect must be found by the check that it names, and no harmless variant may change a verdict.',
    '## Right servers',
    'The kit is proven on servers of several shapes, each right as it stands.',
    table(
      ['Shape', 'What it is', 'Defects found', 'Harmless variants unharmed'],
      shapes.map(({ id, title }) => [
        code(id),
        title,
        shareOfShape(kit, id, 'defect', scores),
        shareOfShape(kit, id, 'harmless', scores),
      ]),
    ),
    '## Defects',
    `${defects.length} servers that are wrong in one thing. ${sourcesOf(kit)} faults of public systems are among them: the last column names where each was seen.`,
    ...shapes.flatMap(({ id }) => {
      const own = ofShape(kit, id, defects);
      return own.length === 0 ? [] : [`### Defects of ${code(id)}`, defectTable(kit, own, 'server')];
    }),
    '## Harmless variants',
    `${harmless.length} servers that differ from the right one of their shape and are just as right.`,
    table(
      ['Variant', 'What the server does', 'Shape'],
      shapes.flatMap(({ id: shape }) =>
        ofShape(kit, shape, harmless).map(({ id, title }) => [code(id), title, code(shape)]),
      ),
    ),
    '## Faults from life that are not judged',
    `${kit.notJudged.length} faults of public systems that no check looks for, each with the reason.`,
    notJudgedTable(kit),
  ];
}

/** A role whose right program has one shape. */
function oneShapeSection(kit: RoleKit, scores: Scores): string[] {
  const { role, defects, harmless, shapes } = kit;
  const { one } = roleWords[role];
  const title = role === 'client' ? 'Clients' : 'EHR servers';
  const thing = role === 'client' ? 'client' : 'server';
  const score = scores[role];
  return [
    `## ${title}`,
    `Each row is ${shapes[0]?.title} with one thing changed. \`npm run conformance -- self-test --role ${role}\` judges all of them. \`npm run conformance -- ${role} --list\` lists the checks.`,
    score ? scoreSentence(score) : 'They were not run yet.',
    `### Defects of ${one}`,
    `${defects.length} ${thing}s that are wrong in one thing. ${sourcesOf(kit)} faults of public systems are among them.`,
    defectTable(kit, defects, thing),
    `### Harmless variants of ${one}`,
    `${harmless.length} ${thing}s that differ from the reference and are just as right.`,
    table(
      ['Variant', `What the ${thing} does`],
      harmless.map(({ id, title: what }) => [code(id), what]),
    ),
    `### Faults of ${title} that are not judged`,
    `${kit.notJudged.length} faults of public systems that the wire cannot show, each with the reason.`,
    notJudgedTable(kit),
  ];
}

/** Returns the number of public faults among the defects. */
function sourcesOf({ defects }: RoleKit): number {
  return new Set(defects.flatMap(({ seenIn = [] }) => seenIn)).size;
}

function defectTable({ role }: RoleKit, defects: RoleKit['defects'], thing: string): string {
  return table(
    ['Defect', `What the ${thing} does`, 'Found by', 'Seen in'],
    defects.map(({ id, title, caughtBy, seenIn = [] }) => [
      code(id),
      title,
      `[${code(caughtBy)}](${roleWords[role].page}#${slug(caughtBy)})`,
      seenIn.map(source).join(', '),
    ]),
  );
}

function notJudgedTable({ notJudged }: RoleKit): string {
  return table(
    ['Fault', 'Why it is not judged'],
    notJudged.map(({ id, because }) => [code(id), because]),
  );
}

/** Formats a source. Issue and pull request share one address in a repository; others are shown unchanged. */
function source(seen: string): string {
  const { repository, number } = /^(?<repository>[\w.-]+\/[\w.-]+)#(?<number>\d+)$/.exec(seen)?.groups ?? {};
  return repository === undefined ? seen : `[${seen}](https://github.com/${repository}/issues/${number})`;
}
