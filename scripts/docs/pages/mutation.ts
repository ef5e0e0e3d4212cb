/**
 * `docs/mutation.md`: how many small changes of the code the tests notice, by room, and the changes that no
 * test can notice.
 */
import { rooms } from '../../mutants/rooms.ts';
import { MUTANT_SCORE_FILE, readScores, type Unnoticed } from '../../mutants/score.ts';
import { code, GENERATED, page, table } from '../markdown.ts';

/** Returns the page as Markdown. `scoreText` contains the scores of the last runs. */
export function mutationPage(scoreText: string): string {
  const scores = readScores(scoreText);
  const measured = rooms.flatMap((room) => {
    const score = scores[room.name];
    return score ? [{ ...room, ...score }] : [];
  });
  const missing = rooms.filter(({ name }) => !scores[name]).map(({ name }) => code(name));
  const unnoticed = measured.flatMap((room) => room.unnoticed);
  const known = unnoticed.filter(({ because }) => because !== undefined);
  const open = unnoticed.filter(({ because }) => because === undefined);
  return page(
    GENERATED,
    ...INTRODUCTION,
    '## Score by room',
    'Equivalent mutants are left out of the score.',
    table(
      ['Room', 'What is changed', 'Score', 'Wanted', 'Noticed', 'Equivalent', 'Drawn from', 'Seed'],
      measured.map(({ name, about, score, wanted, killed, timedOut, tested, equivalent, mutants, seed }) => [
        code(name),
        about,
        `${score} %`,
        `${wanted} %`,
        `${killed + timedOut} of ${tested - equivalent}`,
        `${equivalent}`,
        `${mutants}`,
        `${seed}`,
      ]),
    ),
    ...(missing.length === 0 ? [] : [`Not measured yet: ${missing.join(', ')}.`]),
    `To measure a room again: \`npm run mutants -- ROOM --json ${MUTANT_SCORE_FILE}\`, then \`npm run docs\`.`,
    '## Equivalent mutants',
    'No test can notice these of the sample: the program that they make behaves as the right one does. `scripts/mutants/equivalent.yaml` holds the reasons.',
    known.length === 0
      ? 'None.'
      : table(['Where', 'Code', 'Instead', 'Why it is the same'], known.map(rowOf)),
    '## Mutants that no test noticed',
    'When the room was measured; a test may have been written since.',
    open.length === 0 ? 'None.' : table(['Where', 'Code', 'Instead'], open.map(rowOf)),
  );
}

const INTRODUCTION = [
  '# Mutation testing',
  'A mutant is the code with one small change: `<` for `<=`, an empty string for a text, a condition that always holds. A mutant that no test notices shows what the tests do not say. `npm run mutants` makes them with [Stryker](https://stryker-mutator.io) and runs the tests of the room against each.',
  ['```sh', 'npm run mutants -- protocol', 'npm run mutants -- client-flow --sample 60 --seed 2', '```'].join(
    '\n',
  ),
  'Testing every mutant takes hours, so a sample is drawn; another seed draws another one. Each mutant that no test notices is printed as it is found. A mutant that never ends counts as noticed. The report is in `test-results/mutants/`. `npm run mutants -- --help` lists the rooms.',
  'The room `checks` first plays servers: the right one, and the defects and the harmless variants of the sample of the self-test. Every mutant is then judged on these recorded runs. On a busy machine a right server may look wrong, and the run ends before the first mutant: try again on a quiet one. A sample of 30 or 40 is enough there.',
  'For a mutant that no test notices write the test that does, beside the code; or, when none can, add it to `scripts/mutants/equivalent.yaml` with the reason. Then run the same seed again, and after it another one.',
];

/** Longer code is shortened to its beginning. */
const MAX_CODE_CHARS = 70;

function rowOf({ file, code: original, replacement, because }: Unnoticed): string[] {
  const cells = [`[${code(file)}](../${file})`, snippet(original), snippet(replacement)];
  return because === undefined ? cells : [...cells, because];
}

function snippet(text: string): string {
  if (text === '') return 'nothing';
  const shown = text.length > MAX_CODE_CHARS ? `${text.slice(0, MAX_CODE_CHARS)} …` : text;
  const fence = shown.includes('`') ? '``' : '`';
  const pad = shown.includes('`') ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}
