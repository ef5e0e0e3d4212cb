/**
 * `docs/defects.md`: the correct servers, defects and harmless variants that prove the conformance kit, and
 * what the kit does not judge.
 */
import { type DocumentedDefect, type Kit, type OneShapeKit, ofShape } from '../kit.ts';
import { code, GENERATED, page, slug, table } from '../markdown.ts';
import { type ScoreTexts, scoreByShape, scoreSentence } from '../score.ts';

/** Returns the page as Markdown, with the scores of the last self-tests. */
export function defectsPage(kit: Kit, scores: ScoreTexts): string {
  const { defects, harmless, shapes, notJudged } = kit;
  const sources = new Set(defects.flatMap(({ seenIn = [] }) => seenIn));
  return page(
    GENERATED,
    '# Defects and harmless variants',
    'Each row is a right authorization server with one thing changed. `npm run conformance -- self-test` judges all of them: every defect must be found by the check that it names, and no harmless variant may change a verdict.',
    '## Right servers',
    'The kit is proven on servers of several shapes, each right as it stands.',
    table(
      ['Shape', 'What it is', 'Defects found', 'Harmless variants unharmed'],
      scoreByShape(kit, scores.auth).map(({ id, title, defects: all, found, harmless: fine, unharmed }) => [
        code(id),
        title,
        share(found, all),
        share(unharmed, fine),
      ]),
    ),
    '## Defects',
    `${defects.length} servers that are wrong in one thing. ${sources.size} faults of public systems are among them: the last column names where each was seen.`,
    ...shapes.flatMap(({ id }) => {
      const own = ofShape(kit, id, defects);
      return own.length === 0 ? [] : [`### Defects of ${code(id)}`, defectTable(own)];
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
    `${notJudged.length} faults of public systems that no check looks for, each with the reason.`,
    table(
      ['Fault', 'Why it is not judged'],
      notJudged.map(({ id, because }) => [code(id), because]),
    ),
    ...(kit.ehr ? oneShapeSection(kit.ehr, scores.ehr, EHR_SERVERS) : []),
    ...(kit.client ? oneShapeSection(kit.client, scores.client, CLIENTS) : []),
  );
}

type Role = { role: string; title: string; one: string; many: string; reference: string; page: string };
const EHR_SERVERS: Role = {
  role: 'ehr-server',
  title: 'EHR servers',
  one: 'an EHR server',
  many: 'servers',
  reference: 'the reference EHR server',
  page: 'checks-ehr-server.md',
};
const CLIENTS: Role = {
  role: 'client',
  title: 'Clients',
  one: 'a client',
  many: 'clients',
  reference: 'the client in plain JavaScript',
  page: 'checks-client.md',
};

/** A role whose right program has one shape. */
function oneShapeSection(
  { defects, harmless, notJudged }: OneShapeKit,
  scoreText: string,
  { role, title, one, many, reference, page: checks }: Role,
): string[] {
  const sources = new Set(defects.flatMap(({ seenIn = [] }) => seenIn));
  return [
    `## ${title}`,
    `Each row is ${reference} with one thing changed. \`npm run conformance -- self-test --role ${role}\` judges all of them. \`npm run conformance -- ${role} --list\` lists the checks.`,
    scoreSentence(scoreText) ?? 'They were not run yet.',
    `### Defects of ${one}`,
    `${defects.length} ${many} that are wrong in one thing. ${sources.size} faults of public systems are among them.`,
    defectTable(defects, `What the ${many.slice(0, -1)} does`, checks),
    `### Harmless variants of ${one}`,
    `${harmless.length} ${many} that differ from the reference and are just as right.`,
    table(
      ['Variant', `What the ${many.slice(0, -1)} does`],
      harmless.map(({ id, title: what }) => [code(id), what]),
    ),
    `### Faults of ${title} that are not judged`,
    `${notJudged.length} faults of public systems that the wire cannot show, each with the reason.`,
    table(
      ['Fault', 'Why it is not judged'],
      notJudged.map(({ id, because }) => [code(id), because]),
    ),
  ];
}

/** @param checks the page of the checks that find the defects */
function defectTable(
  defects: readonly DocumentedDefect[],
  what = 'What the server does',
  checks = 'checks.md',
): string {
  return table(
    ['Defect', what, 'Found by', 'Seen in'],
    defects.map(({ id, title, caughtBy, seenIn = [] }) => [
      code(id),
      title,
      `[${code(caughtBy)}](${checks}#${slug(caughtBy)})`,
      seenIn.map(source).join(', '),
    ]),
  );
}

/**
 * Formats a source. Issue and pull request share one address in a repository; an advisory is shown unchanged.
 */
function source(seen: string): string {
  const { repository, number } = /^(?<repository>[\w.-]+\/[\w.-]+)#(?<number>\d+)$/.exec(seen)?.groups ?? {};
  return repository === undefined ? seen : `[${seen}](https://github.com/${repository}/issues/${number})`;
}

function share(good: number | undefined, all: number): string {
  return good === undefined ? `${all}, not run yet` : `${good} of ${all}`;
}
