/**
 * `docs/defects.md`: the correct servers, defects and harmless variants that prove the conformance kit, and
 * what the kit does not judge.
 */
import { type DocumentedDefect, type EhrKit, type Kit, ofShape } from './kit.ts';
import { code, GENERATED, page, slug, table } from './markdown.ts';
import { scoreByShape, scoreSentence } from './score.ts';

/** Returns the page as Markdown. `scoreText` and `ehrScoreText` are the scores of the last self-tests. */
export function defectsPage(kit: Kit, scoreText: string, ehrScoreText = ''): string {
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
      scoreByShape(kit, scoreText).map(({ id, title, defects: all, found, harmless: fine, unharmed }) => [
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
    ...(kit.ehr ? ehrSection(kit.ehr, ehrScoreText) : []),
  );
}

/** The role that judges an EHR server: its right server has one shape. */
function ehrSection({ defects, harmless, notJudged }: EhrKit, scoreText: string): string[] {
  const sources = new Set(defects.flatMap(({ seenIn = [] }) => seenIn));
  return [
    '## EHR servers',
    'Each row is the reference EHR server with one thing changed. `npm run conformance -- self-test --role ehr-server` judges all of them. `npm run conformance -- ehr-server --list` lists the checks.',
    scoreSentence(scoreText) ?? 'They were not run yet.',
    '### Defects of an EHR server',
    `${defects.length} servers that are wrong in one thing. ${sources.size} faults of public systems are among them.`,
    defectTable(defects, code),
    '### Harmless variants of an EHR server',
    `${harmless.length} servers that differ from the reference and are just as right.`,
    table(
      ['Variant', 'What the server does'],
      harmless.map(({ id, title }) => [code(id), title]),
    ),
    '### Faults of EHR servers that are not judged',
    `${notJudged.length} faults of public systems that the wire cannot show, each with the reason.`,
    table(
      ['Fault', 'Why it is not judged'],
      notJudged.map(({ id, because }) => [code(id), because]),
    ),
  ];
}

const linked = (check: string) => `[${code(check)}](checks.md#${slug(check)})`;

/** @param named how the check is named that finds a defect */
function defectTable(defects: readonly DocumentedDefect[], named: (check: string) => string = linked): string {
  return table(
    ['Defect', 'What the server does', 'Found by', 'Seen in'],
    defects.map(({ id, title, caughtBy, seenIn = [] }) => [
      code(id),
      title,
      named(caughtBy),
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
