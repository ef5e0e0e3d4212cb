import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { root } from '../set-up/set-up.mjs';
import { builtProgram } from './built-program.mjs';
import { builtPages } from './pages.mjs';

const MAIN = 'mis-fixtures/main.ts';
const BUILT = 'dist/bin/ehr-fixtures.js';

/** A small project with one program, built like the programs of this project. */
let project: string;
/** What each test begins with: the project, and its program built once. */
let built: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'built #%25-'));
  cpSync(join(root, 'scripts'), join(project, 'scripts'), {
    recursive: true,
    filter: (file) => !/\.test\.ts$|scripts\/(?:docs|rules|test)$/.test(file),
  });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  write('package.json', '{ "name": "small", "type": "module", "imports": { "#service/*": "./service/*" } }');
  write('package-lock.json', '{}');
  write('service/word.ts', "export const word: string = 'one';\n");
  write('mis-fixtures/text.txt', 'a text');
  write(MAIN, PROGRAM);
  await build();
  built = project;
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

beforeEach(() => {
  project = join(temporaryFolder(), 'a #%25');
  cpSync(built, project, { recursive: true });
});

const PROGRAM = `import { readFileSync } from 'node:fs';
import { word } from '#service/word.ts';

type Part = 'fail' | undefined;
const part = process.argv[2] as Part;
const fail = (): never => {
  throw new Error('on line 7');
};
if (part === 'fail') fail();
console.log(word, readFileSync(new URL('./text.txt', import.meta.url), 'utf8'));
`;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

const build = () => builtProgram(project, MAIN) as Promise<string>;
const run = (...args: string[]) =>
  execFileSync(process.execPath, [join(project, BUILT), ...args], { encoding: 'utf8', stdio: 'pipe' });
const builtAt = () => statSync(join(project, BUILT)).ino;

function buildBeside() {
  const module = pathToFileURL(join(root, 'scripts/build/built-program.mjs')).href;
  const code = `import(${JSON.stringify(module)}).then((m) => m.builtProgram(process.argv[1], process.argv[2]))`;
  return runProgram(['-e', code, project, MAIN]);
}

test('a module that is no program has no built file', async () =>
  expect(await builtProgram(project, 'site/docs/main.ts')).toBeUndefined());

test('a built program runs, and finds the files beside its sources', async () => {
  expect(await build()).toBe(join(project, BUILT));
  expect(run()).toBe('one a text\n');
  expect(() => run('fail')).toThrow(
    expect.objectContaining({ stderr: expect.stringContaining(`at fail (${join(project, MAIN)}:7:9)`) }),
  );
  rmSync(join(project, `${BUILT}.map`));
  expect(() => run('fail')).toThrow(
    expect.objectContaining({
      stderr: expect.stringMatching(/Error: on line 7\n {4}at fail \(file:.*ehr-fixtures\.js/),
    }),
  );
});

test('a program is built again when its parts have changed, only then', async () => {
  const first = builtAt();
  // The file has a newer date and the same content.
  const tomorrow = Math.floor(statSync(join(project, MAIN)).mtimeMs / 1_000) + 86_400;
  utimesSync(join(project, MAIN), tomorrow, tomorrow);
  write('service/not-imported.ts', 'export const other = 1;\n');
  await build();
  expect(builtAt()).toBe(first);
  // The file has an older date and other content.
  write('service/word.ts', "export const word: string = 'two';\n");
  utimesSync(join(project, 'service/word.ts'), 1, 1);
  await build();
  expect(run()).toBe('two a text\n');
  for (const [file, text] of [
    ['package-lock.json', '{ "packages": {} }'],
    ['scripts/build/bundle.mjs', `${readFileSync(join(project, 'scripts/build/bundle.mjs'), 'utf8')}\n`],
  ] as const) {
    const before = builtAt();
    write(file, text);
    await build();
    expect([file, builtAt()]).not.toEqual([file, before]);
  }
});

test('a built file missing, cut or foreign is built again', async () => {
  const whole = readFileSync(join(project, BUILT), 'utf8');
  for (const spoil of [
    () => rmSync(join(project, BUILT)),
    () => write(BUILT, whole.slice(0, -100)),
    () => write(BUILT, whole.replace(/(?<=Made of ).{8}/, '00000000')),
    () => write('dist/bin/ehr-fixtures.inputs.json', '{ "inputs": ["serv'),
    () => rmSync(join(project, 'dist'), { recursive: true }),
  ]) {
    spoil();
    await build();
    expect(readFileSync(join(project, BUILT), 'utf8')).toBe(whole);
  }
});

test('sources that do not compile are told, and the former build stays', async () => {
  write('service/word.ts', "export const word: string = 'one;\n");
  await expect(build()).rejects.toThrow(
    /^Failed to build ehr-fixtures: .*service\/word\.ts:1:33: ERROR: Unterminated/s,
  );
  expect(run()).toBe('one a text\n');
  rmSync(join(project, 'service/word.ts'));
  await expect(build()).rejects.toThrow(/Could not resolve "#service\/word\.ts"/);
});

test('simultaneous builds leave one whole program and nothing else', async () => {
  rmSync(join(project, BUILT));
  const ends = await Promise.all([buildBeside(), buildBeside()]);
  expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(run()).toBe('one a text\n');
  const names = ['ehr-fixtures', 'express'].flatMap((name) => [
    `${name}.inputs.json`,
    `${name}.js`,
    `${name}.js.map`,
  ]);
  expect(readdirSync(join(project, 'dist', 'bin')).sort()).toEqual(names);
  expect(readdirSync(join(project, 'dist')).filter((name) => name.startsWith('.building'))).toEqual([]);
});

test('a clone whose path has signs of an address finds pages and sources', async () => {
  write(
    'mock-client/build.ts',
    "export const buildClient = async () => ({ directory: '/built/page-1', inputs: [['page.css', 'p {}']] });",
  );
  const inputs = new Map();
  const { needs } = await builtPages(project, 'ehr-client', inputs);
  expect([needs, ...inputs]).toEqual([['mock-client/dist/page-1/index.html'], ['page.css', 'p {}']]);
});
