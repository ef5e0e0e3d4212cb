/** `docs/mutation.md`: how many small changes of the code the tests notice, by room. */
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
  const open = unnoticed.filter(({ because }) => because === undefined);
  return page(
    GENERATED,
    ...INTRODUCTION,
    '## Score by room',
    'Equivalent mutants are left out of the score: no test can notice them. `scripts/mutants/equivalent.yaml` has their reasons.',
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
    '## Mutants that no test noticed',
    'When the room was measured; a test may have been written since.',
    open.length === 0 ? 'None.' : table(['Where', 'Code', 'Instead'], open.map(rowOf)),
  );
}

const INTRODUCTION = [
  '# Mutation testing',
  'This page shows how many small changes of the code the tests notice. A mutant is the code with one such change, as `<` for `<=`; one that no test notices shows what the tests do not say. `npm run mutants` makes a sample of them with [Stryker](https://stryker-mutator.io) and runs the tests of the room against each.',
  ['```sh', 'npm run mutants -- protocol', 'npm run mutants -- client-flow --sample 60 --seed 2', '```'].join(
    '\n',
  ),
  'For a mutant that no test notices write the test that does, or add it to `scripts/mutants/equivalent.yaml` with the reason why none can. Then run the same seed again, and another one. The room `checks` is judged on recorded runs of servers: use a quiet machine and a sample of 30.',
];

/** Longer code is shortened to its beginning. */
const MAX_CODE_CHARS = 70;

function rowOf({ file, code: original, replacement }: Unnoticed): string[] {
  return [`[${code(file)}](../${file})`, snippet(original), snippet(replacement)];
}

function snippet(text: string): string {
  if (text === '') return 'nothing';
  const shown = text.length > MAX_CODE_CHARS ? `${text.slice(0, MAX_CODE_CHARS)} …` : text;
  const fence = shown.includes('`') ? '``' : '`';
  const pad = shown.includes('`') ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}
