import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoSettings } from '#demo/settings.ts';
import { ehrSettings } from '#ehr-server/config.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { authSettings } from '#mock-auth-server/config.ts';
import { clientSettings } from '#mock-client/config.ts';
import { requirements } from '#protocol/requirements.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { listFiles } from '#scripts/source.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = listFiles(root).filter((file) => file.endsWith('.md'));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const notes = pages.filter((file) => /^docs\/decisions\/\d/.test(file));
const index = read('docs/decisions/README.md');

/** Returns the inline code and code blocks of a page: what a reader takes for a name, or types. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  return [...blocks, ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)];
}

/** Returns every match in code on hand-written pages, with its page. */
function named(pattern: RegExp): { file: string; name: string }[] {
  return pages.flatMap((file) =>
    codeIn(read(file)).flatMap((code) =>
      [...code.matchAll(pattern)].map(([all, name]) => ({ file, name: name ?? all })),
    ),
  );
}

function expectKnown(found: { file: string; name: string }[], isKnown: (name: string) => boolean): void {
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ name }) => !isKnown(name))).toEqual([]);
}

const settings = [ehrSettings, authSettings, clientSettings, demoSettings].flatMap((table) =>
  Object.values(table),
);

const ROOMS =
  'protocol|service|ehr-server|mock-auth-server|mock-client|mis-fixtures|e2e|conformance|console|demo|lab|testing|scripts|site|docs';

test('every file of a room that a hand-written page names is there', () => {
  expectKnown(named(new RegExp(`^((?:${ROOMS})/[\\w./-]*)$`, 'g')), (name) => existsSync(join(root, name)));
});

test('every environment variable that a hand-written page names is a setting', () => {
  const known = [...settings.map(({ env }) => env), 'E2E_BROWSER', 'EHR_TEST_DATABASE_URL'];
  expectKnown(
    named(/\b(?:EHR|AUTH|CLIENT|DEMO|E2E)_[A-Z_]+\b/g),
    (name) => known.includes(name) || isShellVariable(name),
  );
});

/** Tells whether a variable is set by the reader in the walks of the pages. */
function isShellVariable(name: string): boolean {
  return pages.some((file) => new RegExp(`^${name}=`, 'm').test(read(file)));
}

test('every npm script that a hand-written page names is in package.json', () => {
  // The changelog names those that are gone, too.
  const found = named(/\bnpm run ([a-z0-9-]+)/g).filter(({ file }) => file !== 'CHANGELOG.md');
  expectKnown(found, (name) => name in scripts);
});

test('every flag on a hand-written page is one its program has', () => {
  const own = settings.map(({ flag }) => flag.split(' ')[0] as string);
  const sources = [
    'scripts/test/main.ts',
    'e2e/command/main.ts',
    'e2e/command/party-options.ts',
    'e2e/interop/main.ts',
    'site/docs/main.ts',
    'site/main.ts',
    'demo/commands/clock.ts',
    'demo/commands/fault.ts',
    'mis-fixtures/cli.ts',
    'conformance/engine/cli/command-line.ts',
    'ehr-server/commands/audit.ts',
    'ehr-server/commands/backup.ts',
    'conformance/examples/plain-ehr/server.mjs',
    'conformance/examples/plain-client/client.mjs',
    ...listFiles(root).filter((file) => /^lab\/.*\.ts$/.test(file) && !file.endsWith('.test.ts')),
  ]
    .map(read)
    .join();
  // Every program has the first flag; the others are those of npm, git, docker, node, stryker and vitest.
  const common = [
    '--help',
    '--rm',
    '--experimental-loader',
    '--require',
    '--ignore-scripts',
    '--unidiff-zero',
    '--sequence',
    '--coverage',
    '--mutate',
    '--build',
    '--wait',
  ];
  const isKnown = (flag: string) =>
    own.includes(flag) || common.includes(flag) || new RegExp(`${flag}[ '\`,]`).test(sources);
  expectKnown(named(/(?<![\w-])(--[a-z][a-z0-9-]*)/g), isKnown);
});

test('the page on running has each persona with the phone to sign in with', () => {
  const rows = [...read('docs/running.md').matchAll(/^\| `([a-z]+)` \| (\d+) \|/gm)].map(
    ([, name, phone]) => [name, phone],
  );
  expect(rows).toEqual(personaList.map(({ name, signIn }) => [name, signIn]));
});

test('every decision note has its headings, its number and a line in the index', () => {
  expect(notes.length).toBeGreaterThan(25);
  for (const file of notes) {
    const name = file.slice('docs/decisions/'.length);
    const text = read(file);
    const number = Number(name.slice(0, 4));
    expect(text, file).toMatch(new RegExp(`^# ${number}\\. `));
    expect(
      [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
      file,
    ).toEqual(['Context', 'Decision', 'Consequences']);
    expect(index, file).toContain(`- [${number}](${name}) `);
  }
});

test('every decision that a requirement names stands in the index', () => {
  const listed = [...index.matchAll(/^- .* \(([\w, ]+)\)$/gm)].flatMap(([, rows = '']) => rows.split(', '));
  const decisions = requirements.flatMap(({ clause }) =>
    [...clause.matchAll(/decision (\w+)/g)].map(([, number]) => number),
  );
  expect(new Set(decisions).size).toBeGreaterThan(25);
  for (const number of new Set(decisions)) expect(listed, `decision ${number}`).toContain(number);
});

test('the page on judging explains every diagnosis that the doctor names', () => {
  const doctor = [
    'roles/auth-server/doctor/doctor',
    'engine/party/explain-unreachable',
    'roles/auth-server/doctor/diagnoses',
  ]
    .map((file) => read(`conformance/${file}.ts`))
    .join('\n');
  const named = [...doctor.matchAll(/['`]([a-zE][\w ]+): /g)].map(([, name = '']) => name);
  const diagnoses = named.filter((name) => name !== 'doctor');
  expect(new Set(diagnoses).size).toBeGreaterThan(5);
  for (const name of diagnoses) expect(read('docs/judge.md')).toContain(`| ${name} |`);
});

test('a build of the image is given nothing that git ignores', () => {
  const kept = new Set(read('.dockerignore').split('\n'));
  const names = read('.gitignore')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\/$/, ''));
  expect(names).toContain('.data');
  for (const name of names) expect(kept.has(name) || kept.has(`**/${name}`), name).toBe(true);
});
