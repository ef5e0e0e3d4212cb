import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILES_APART } from '../test/files-apart.ts';
import { checkFile } from './check.ts';
import { folderRule } from './files.ts';
import { typeNamesRule } from './type-names.ts';

/** Applies the rules to a file and returns each finding as `line message`. */
const check = (file: string, ...lines: string[]) =>
  checkFile(file, `${['/** Why. */', ...lines].join('\n')}\n`).map(
    (finding) => `${finding.line} ${finding.message}`,
  );

const readsTime = [
  ...['const at = Date.now();', "const at = Date['now']();", 'const at = globalThis.Date.now();'],
  ...['const at = new Date();', 'const at = new Date;', 'const at = Date();', 'const { now } = Date;'],
  ...['const at = performance.now();', 'const at = process.hrtime.bigint();', 'const by = Math.random();'],
  ...['const { random } = Math;', 'const by = crypto.randomUUID();'],
  "import { randomBytes } from 'node:crypto';",
  "import { setTimeout as sleep } from 'node:timers/promises';",
  ...["import { performance } from 'node:perf_hooks';", 'setTimeout(() => {}, 5);'],
  ...['setInterval(() => {}, 5);', 'const wait = setTimeout;', 'const timers = { setTimeout };'],
  ...['window.setTimeout(() => {}, 5);', 'vi.useFakeTimers();', 'await page.waitForTimeout(5);'],
];

test.each(readsTime)('the clock rule reports %s', (code) => {
  expect(check('service/a.ts', '', code)).toEqual([
    expect.stringMatching(/^3 .*take a Clock or a Random as a parameter instead\.$/),
  ]);
});

const handsTimeIn = [
  ...[
    'const day = new Date(value);',
    'const day = new Date(...parts);',
    'const day = new Date(clock.now());',
  ],
  ...['const at = Date.UTC(2026, 0, 15);', 'const at = Date.parse(text);', 'const at = clock.now();'],
  ...['const high = Math.max(1, 2);', 'setImmediate(() => {});', 'clearTimeout(handle);'],
  'type Handle = ReturnType<typeof setTimeout>;',
  'const names = ["Date.now()", "setTimeout"]; // Date.now() and setTimeout in words',
  ...['const timers = { setTimeout: wake };', 'timers.setTimeout = wake;'],
  "import { createHash, timingSafeEqual } from 'node:crypto';",
  'const random = randomToken(systemRandom);',
];

test.each(handsTimeIn)('the clock rule lets pass %s', (code) => {
  expect(check('service/a.ts', code)).toEqual([]);
});

test('the clock rule exempts main files, wrappers and tooling, and nothing similar', () => {
  const code = 'const at = Date.now();';
  for (const file of [
    ...['ehr-server/main.ts', 'protocol/time/clock.ts', 'protocol/time/random.ts', 'demo/main.ts'],
    ...['lab/bench/rates.ts', 'conformance/roles/auth-server/shapes/challenge/codes.mjs', 'vitest.config.ts'],
  ])
    expect(check(file, code), file).toEqual([]);
  for (const file of [
    ...['ehr-server/domain.ts', 'service/clock.ts', 'protocol/a.config.ts', 'e2e/world.test.ts'],
    ...['lab/bench/smoke.test.ts', 'conformance/roles/auth-server/shapes/shape.ts', 'mock-client/ui/app.tsx'],
  ])
    expect(check(file, code), file).toHaveLength(1);
});

const notRun = [
  ...["test.skip('a', () => {});", "test.only('a', () => {});", "it.todo('a');"],
  ...["describe.skip('a', () => {});", "test.describe.only('a', () => {});"],
  ...["test.skipIf(true)('a', () => {});", "test.fixme('a', () => {});", "test.fails('a', () => {});"],
  ...["proves.only([], 'a', () => {});", "xit('a', () => {});", "test('a', { skip: true }, () => {});"],
];

test.each(notRun)('a test that does not run is reported: %s', (code) => {
  expect(check('service/a.test.ts', code)).toEqual([
    expect.stringMatching(/^2 .*let every test run, or delete it\.$/),
  ]);
});

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

test('a title of a test or a group has at most 14 words', () => {
  const long = `test('${words(15)}', () => {});`;
  expect(check('service/a.test.ts', long)).toEqual(['2 A title of 15 words: say it in 14, subject first.']);
  for (const code of [
    `proves(['4.1-a'], '${words(15)}', () => {});`,
    `describe('${words(15)}', () => {});`,
    `test.each(rows)('${words(15)}', () => {});`,
    `onEachStore('${words(15)}', () => {});`,
    `test(\`\${one + two} ${words(14)}\`, () => {});`,
  ])
    expect(check('service/a.test.ts', code), code).toHaveLength(1);
  for (const code of [`test('${words(14)}', () => {});`, `test(\`\${one + two} ${words(13)}\`, () => {});`])
    expect(check('service/a.test.ts', code), code).toEqual([]);
  expect(check('service/a.ts', long)).toEqual([]);
});

test('the third type of a name needs another name, or a reason', () => {
  const texts = ['a', 'b', 'c'].map((name) => [`${name}.ts`, '/** Why. */\nexport type Row = 1;\n'] as const);
  expect(typeNamesRule(texts, {})).toEqual([
    { file: 'c.ts', line: 2, message: 'More than 2 types are named Row: name this one by what it holds.' },
  ]);
  expect(typeNamesRule(texts, { Row: 'a reason' })).toEqual([]);
  expect(typeNamesRule(texts.slice(1), {})).toEqual([]);
  for (const few of [texts.slice(1), []])
    expect(typeNamesRule(few, { Row: 'a reason' })).toEqual([
      { file: 'scripts/rules/type-names.ts', line: 1, message: 'Row needs no reason any more.' },
    ]);
  expect(
    typeNamesRule(
      texts.map(([file, text]) => [file.replace('.ts', '.mjs'), text]),
      {},
    ),
  ).toEqual([]);
});

test('what only looks like a mark on a test is let pass', () => {
  expect(
    check(
      'service/a.test.ts',
      'const rest = list.skip(1);',
      'call({ skip: 1, only: name });',
      'page.only();',
    ),
  ).toEqual([]);
  expect(check('service/a.ts', 'const first = test.only;')).toEqual([]);
});

test('work left for later is reported in comments and texts alone', () => {
  const word = ['TO', 'DO'].join('');
  expect(check('service/a.ts', `// ${word} mend this`)).toEqual([
    '2 Left for later: do it now, or open an issue.',
  ]);
  expect(check('service/a.ts', `const word = '${word}';`)).toEqual([]);
  expect(check('docs/a.md', '', `${word}: write this`)).toEqual([
    '3 Left for later: do it now, or open an issue.',
  ]);
});

test('a comment that silences a checker is reported', () => {
  const comments = [`// @ts-${'ignore'}`, `// @ts-${'expect-error'} why`, `/* eslint-${'disable'} */`];
  for (const comment of comments)
    expect(check('service/a.ts', comment)).toEqual(['2 A checker is silenced: mend what it found.']);
});

test('a file over 250 lines is reported, a requirements table is not', () => {
  const lines = (count: number) =>
    Array.from({ length: count - 1 }, (_, index) => `const a${index} = ${index};`);
  expect(check('service/a.ts', ...lines(250))).toEqual([]);
  expect(check('service/a.ts', ...lines(251))).toEqual([
    expect.stringMatching(/^251 251 lines where at most 250 may be/),
  ]);
  expect(check('protocol/requirements/a.ts', ...lines(251))).toEqual([]);
});

test('a folder with more than 20 files is reported, documents are not', () => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}a${index}.ts`);
  expect(
    folderRule([...files('a/', 20), ...files('a/b/', 20), ...files('docs/', 21), ...files('', 20)]),
  ).toEqual([]);
  expect(folderRule([...files('a/b/', 21), ...files('', 21)])).toEqual([
    {
      file: 'a/b',
      line: 1,
      message: '21 files where at most 20 may be: make a folder of those that belong together.',
    },
    expect.objectContaining({ file: '.', message: expect.stringMatching(/^21 files/) }),
  ]);
});

test('a module without an opening sentence is reported, tests and types excepted', () => {
  const said = (file: string, text: string) => checkFile(file, text).map((finding) => finding.message);
  expect(said('service/a.ts', 'const a = 1;\n')).toEqual([
    'A module opens with a /** sentence */ that says why it exists.',
  ]);
  expect(said('service/a.ts', '#!/usr/bin/env node\n/** Why. */\nconst a = 1;\n')).toEqual([]);
  expect(said('service/a.test.ts', 'const a = 1;\n')).toEqual([]);
  expect(said('service/a.d.mts', 'export const a: 1;\n')).toEqual([]);
});

test('a path of one machine is reported wherever it stands', () => {
  const home = `/${'home'}/somebody/project`;
  for (const file of ['docs/a.md', 'biome.json', '.github/workflows/ci.yml', '.ci/run', 'LICENSE'])
    expect(check(file, `see ${home}`), file).toEqual([
      '2 A path of one machine: write it relative to the project.',
    ]);
  expect(check('service/a.ts', `const at = '${home}';`)).toHaveLength(1);
  expect(check('docs/a.md', `see C:\\${'Users'}\\somebody`)).toHaveLength(1);
  expect(check('docs/a.md', 'see http://localhost:4100/home/page, ./work/a and /tmp/file')).toEqual([]);
});

test('a test that mocks a module is reported, unless it runs alone', () => {
  const mocks = "vi.mock(import('#service/process/run.ts'));";
  expect(check('service/a.test.ts', mocks)).toEqual([
    '2 A mocked module reaches the test files that share the process: add this file to FILES_APART in scripts/test/files-apart.ts.',
  ]);
  expect(check('service/a.test.ts', "await import('./b.test.ts');")[0]).toContain(
    'A test file that is loaded once more',
  );
  expect(check('service/a.test.ts', "await import('./b.ts');", 'vi.fn();', "other.mock('a');")).toEqual([]);
  expect(check('service/process/files/private-file.test.ts', mocks)).toEqual([]);
});

test('every test file that runs in a process of its own exists', () =>
  expect(FILES_APART.filter((file) => !existsSync(file))).toEqual([]));

test('a relative import stays in its room', () => {
  expect(check('ehr-server/methods/a.ts', "import { a } from '../../service/process/log.ts';")).toEqual([
    '2 ../../service/process/log.ts leaves the room: import it as #room/file.ts.',
  ]);
  expect(
    check(
      'ehr-server/methods/a.ts',
      "import { a } from '../log.ts';",
      "import { b } from '#service/process/log.ts';",
    ),
  ).toEqual([]);
  expect(check('vitest.config.ts', "import { a } from './scripts/a.ts';")).toEqual([]);
});

test('files that are not text are not read', () =>
  expect(checkFile('docs/client.png', 'not text')).toEqual([]));

for (const code of [
  ...["import Sqlite from 'better-sqlite3';", "import Sqlite, { type Database } from 'better-sqlite3';"],
  "const Sqlite = require('better-sqlite3');",
  "const file = createRequire(import.meta.url).resolve('better-sqlite3');",
  "const { default: Sqlite } = await import('better-sqlite3');",
])
  test(`the SQLite rule reports ${code}`, () => {
    expect(check('ehr-server/a.ts', code)).toEqual([
      '2 better-sqlite3 is loaded by service/sqlite.ts alone: use openSqlite.',
    ]);
    expect(check('service/sqlite.ts', code)).toEqual([]);
  });

test('the SQLite rule lets the types pass', () =>
  expect(check('ehr-server/a.ts', "import type { Database } from 'better-sqlite3';")).toEqual([]));

test.each([
  ["import { role } from '../roles/client/index.ts';", 1],
  ["const one = 'ehr-server';", 1],
  ["const one = 'client';", 0],
])('the engine of the kit knows no role: %s', (code, count) => {
  expect(check('conformance/engine/a.ts', code).length).toBe(count);
  expect(check('conformance/roles/client/a.ts', code)).toEqual([]);
});
