import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILES_APART } from '../test/files-apart.ts';
import { checkFile } from './rules.ts';

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
    ...['lab/bench/rates.ts', 'conformance/examples/plain-js/server.mjs', 'vitest.config.ts'],
  ])
    expect(check(file, code), file).toEqual([]);
  for (const file of [
    ...['ehr-server/domain.ts', 'service/clock.ts', 'protocol/a.config.ts', 'e2e/world.test.ts'],
    ...['lab/bench/bench.test.ts', 'conformance/roles/auth-server/people/crew.ts', 'mock-client/ui/app.tsx'],
  ])
    expect(check(file, code), file).toHaveLength(1);
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

test('a test that mocks a module is reported, unless it runs alone', () => {
  const mocks = "vi.mock(import('#service/process/run.ts'));";
  expect(check('service/a.test.ts', mocks)).toEqual([
    '2 A mocked module reaches the test files that share the process: add this file to FILES_APART in scripts/test/files-apart.ts.',
  ]);
  expect(check('service/a.test.ts', "await import('./b.test.ts');")[0]).toContain(
    'A test file that is loaded once more',
  );
  expect(check('service/a.test.ts', "await import('./b.ts');", 'vi.fn();', "other.mock('a');")).toEqual([]);
  expect(check('service/http/pages.test.ts', mocks)).toEqual([]);
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
