import { expect, test } from 'vitest';
import { parse } from '#scripts/source.ts';
import { claimProblems, readCitations } from './citations.ts';

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

const page = `# Security

## A thief

Tests: [a.test.ts](e2e/threats/a.test.ts)

The thief:

- \`T-file-1\` cannot read
- \`T-file-2\` can look

## Others

- \`T-auth-1\` can lie
`;
const citation = (id: string, file = 'e2e/threats/a.test.ts') => ({ id, file, title: `about ${id}` });

test('a page whose claims all have tests, which it names, has no problems', () => {
  const text = page.replace('## Others', '## Others\n\n[b](e2e/b.test.ts)');
  const tests = [citation('T-file-1'), citation('T-file-2'), citation('T-auth-1', 'e2e/b.test.ts')];
  expect(claimProblems(text, tests)).toEqual([]);
});

test('an untested claim is named with its line, and a doubled one', () => {
  const text = `${page}- \`T-file-1\` can read\n`;
  expect(claimProblems(text, [citation('T-file-1')])).toEqual([
    'SECURITY.md:9 the claim T-file-1 stands here twice.',
    'SECURITY.md:10 the claim T-file-2 is shown by no test.',
    'SECURITY.md:14 the claim T-auth-1 is shown by no test.',
    'SECURITY.md:15 the claim T-file-1 has a test in e2e/threats/a.test.ts, which its section does not link.',
  ]);
});

test('a test of a claim that the page does not make is named', () => {
  const problems = claimProblems(
    page,
    ['T-file-1', 'T-file-2', 'T-file-3'].map((id) => citation(id)),
  );
  expect(problems).toEqual([
    'SECURITY.md:14 the claim T-auth-1 is shown by no test.',
    'e2e/threats/a.test.ts: "about T-file-3" cites T-file-3, and SECURITY.md makes no such claim.',
  ]);
});

test('a test in a file that the section does not link is named', () => {
  const tests = [citation('T-file-1'), citation('T-file-2', 'e2e/b.test.ts'), citation('T-auth-1')];
  expect(claimProblems(page, tests)).toEqual([
    'SECURITY.md:10 the claim T-file-2 has a test in e2e/b.test.ts, which its section does not link.',
    'SECURITY.md:14 the claim T-auth-1 has a test in e2e/threats/a.test.ts, which its section does not link.',
  ]);
});
