import { expect, test } from 'vitest';
import { parse } from '#scripts/source.ts';
import { readCitations } from './citations.ts';

const read = (text: string, file = 'service/a.test.ts') => readCitations(parse(file, text));

test('every id of every call is read, with the title of its test', () => {
  const { citations, problems } = read(`
    import { proves } from '#testing/proves.ts';
    proves(['4.1-token-unique', '8-token-once'], 'a second save is refused', async () => {});
    for (const form of forms) {
      proves(['D25-date-forms'], \`the date as \${form} is read\`, () => {});
    }
  `);
  expect(problems).toEqual([]);
  expect(citations).toEqual([
    { id: '4.1-token-unique', file: 'service/a.test.ts', title: 'a second save is refused' },
    { id: '8-token-once', file: 'service/a.test.ts', title: 'a second save is refused' },
    { id: 'D25-date-forms', file: 'service/a.test.ts', title: 'the date as … is read' },
  ]);
});

test('claims of the threat model are read beside requirements', () => {
  const { citations, problems } = read(`
    proves(['4.1-token-unique', 'T-client-1'], 'both', async () => {});
    proves(['T-file-1'], 'a claim', async () => {});
  `);
  expect([citations.map(({ id, title }) => [id, title]), problems]).toEqual([
    [
      ['4.1-token-unique', 'both'],
      ['T-client-1', 'both'],
      ['T-file-1', 'a claim'],
    ],
    [],
  ]);
});

const LIST = 'the first argument of proves must be a literal list of one or more ids.';
const TITLE = 'the second argument of proves must be a literal title.';
const refused: [string, string][] = [
  ["proves(ids, 'a', () => {});", LIST],
  ["proves([], 'a', () => {});", LIST],
  ["proves(['a', ...more], 'a', () => {});", LIST],
  ["proves(['a', id], 'a', () => {});", LIST],
  ["proves(['a', 'b'].slice(1), 'a', () => {});", LIST],
  ['proves([`a`], "a", () => {});', LIST],
  ["proves(['a'], title, () => {});", TITLE],
  ["proves(['a']);", TITLE],
  [
    "import { proves as shows } from '#testing/proves.ts';",
    'proves must keep its name where it is imported or exported.',
  ],
  [
    "export { proves as shows } from '#testing/proves.ts';",
    'proves must keep its name where it is imported or exported.',
  ],
  ["const shows = proves; shows(['a'], 'a', () => {});", 'proves must be called directly.'],
  ["each(['a', 'b'], proves);", 'proves must be called directly.'],
  ["proves.call(undefined, ['a'], 'a', () => {});", 'proves must be called directly.'],
];

for (const [code, sentence] of refused)
  test(`what cannot be read for certain is refused: ${code}`, () =>
    expect(read(`\n${code}`)).toEqual({ citations: [], problems: [`service/a.test.ts:2 ${sentence}`] }));

test('a call outside the test files is refused, the definition itself is not', () => {
  const call = "proves(['a'], 'a', () => {});";
  expect(read(call, 'e2e/browser/a.spec.ts').citations).toHaveLength(1);
  expect(read(call, 'e2e/flows.ts').problems).toEqual([
    'e2e/flows.ts:1 proves must be called in a test file (*.test.ts or *.spec.ts).',
  ]);
  const definition = "export function proves(ids: string[]) {}\nexport { proves } from './a.ts';";
  expect(read(definition, 'testing/proves.ts')).toEqual({ citations: [], problems: [] });
});
