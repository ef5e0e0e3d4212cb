/**
 * The pages of defects: the right programs, defects and harmless variants that prove the kit, and what it
 * does not judge.
 */
import { addressOf, SITE } from '#protocol/site.ts';
import { type Kit, ofShape, type RoleKit, roleWords } from '../kit.ts';
import { code, link, page, table } from '../markdown.ts';
import { type Scores, scoreSentence, shareOfShape } from '../score.ts';

/** The page that leads to the defects of all roles. */
export function defectsIndex({ roles }: Kit): string {
  return page(
    '# Defects',
    'This page says what proves the checks: programs that are wrong in one thing, and others that are just as right.',
    table(
      ['Role', 'Defects', 'Harmless variants', 'Faults that are not judged'],
      roles.map(({ role, defects, harmless, notJudged }) => [
        link(roleWords[role].many, `${SITE}defects/${role}`),
        ...[defects, harmless, notJudged].map(({ length }) => String(length)),
      ]),
    ),
    '`npm run conformance -- self-test` judges all of them: every defect must be found by the check that it names, and no harmless variant may change a verdict.',
  );
}

/** The defects of a role, with the score of its last self-test. */
export function defectsPage(kit: RoleKit, scores: Scores): string {
  const { role } = kit;
  return page(
    `# Defects of ${roleWords[role].many}`,
    ...(role === 'auth-server' ? shapesSection(kit, scores) : oneShapeSection(kit, scores)),
  );
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
      return own.length === 0 ? [] : [`### Defects of ${code(id)}`, defectTable(own, 'server')];
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
  const thing = role === 'client' ? 'client' : 'server';
  const score = scores[role];
  return [
    `Each row is ${shapes[0]?.title} with one thing changed. \`npm run conformance -- self-test --role ${role}\` judges all of them. \`npm run conformance -- ${role} --list\` lists the checks.`,
    score ? scoreSentence(score) : 'They were not run yet.',
    '## Defects',
    `${defects.length} ${thing}s that are wrong in one thing. ${sourcesOf(kit)} faults of public systems are among them.`,
    defectTable(defects, thing),
    '## Harmless variants',
    `${harmless.length} ${thing}s that differ from the reference and are just as right.`,
    table(
      ['Variant', `What the ${thing} does`],
      harmless.map(({ id, title: what }) => [code(id), what]),
    ),
    '## Faults that are not judged',
    `${kit.notJudged.length} faults of public systems that the wire cannot show, each with the reason.`,
    notJudgedTable(kit),
  ];
}

/** Returns the number of public faults among the defects. */
function sourcesOf({ defects }: RoleKit): number {
  return new Set(defects.flatMap(({ seenIn = [] }) => seenIn)).size;
}

function defectTable(defects: RoleKit['defects'], thing: string): string {
  return table(
    ['Defect', `What the ${thing} does`, 'Found by', 'Seen in'],
    defects.map(({ id, title, caughtBy, seenIn = [] }) => [
      code(id),
      title,
      link(code(caughtBy), addressOf.check(caughtBy)),
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

/** Formats where a defect was seen, to follow its title; empty where it was invented. */
export function seenIn(sources: readonly string[]): string {
  return sources.length === 0 ? '' : ` (seen in ${sources.map(source).join(', ')})`;
}

/** Formats a source. Issue and pull request share one address in a repository; others are shown unchanged. */
function source(seen: string): string {
  const { repository, number } = /^(?<repository>[\w.-]+\/[\w.-]+)#(?<number>\d+)$/.exec(seen)?.groups ?? {};
  return repository === undefined ? seen : `[${seen}](https://github.com/${repository}/issues/${number})`;
}
