import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { thrownBy } from '#testing/thrown.ts';
import { SettingsError } from '../command-line/settings.ts';
import {
  isOfSystem,
  makeDirectory,
  refusalOf,
  requireDirectory,
  requireFile,
  temporaryDirectory,
  writeWhole,
} from './writing.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a directory is created with its parents, an existing one kept', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeDirectory(deep, 0o700);
  writeFileSync(join(deep, 'kept'), '');
  makeDirectory(deep);
  expect(readdirSync(deep)).toEqual(['kept']);
  expect(lstatSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
});

/** Places that no account can write to, each with the reason. */
const UNWRITABLE: [string, () => string, RegExp][] = [
  ['a directory in a file', () => join(folder, 'file', 'reports'), /not a directory \(ENOTDIR\)/],
  ['a file', () => join(folder, 'file'), /not a directory \(ENOTDIR\)/],
  ['a link to nothing', () => join(folder, 'dangling'), /\((?:ENOENT|EEXIST|ENOTDIR)\)/],
];
if (process.platform === 'linux')
  UNWRITABLE.push(
    ['a directory in /proc', () => '/proc/x', /\(ENOENT\)/],
    ['a directory deep in /proc', () => '/proc/x/y/z', /\(ENOENT\)/],
    ['a directory in /sys', () => '/sys/x', /\((?:EROFS|EACCES|EPERM|ENOENT)\)/],
  );

test.each(UNWRITABLE)('%s is refused as a directory, at once and by name', (_what, path, reason) => {
  writeFileSync(join(folder, 'file'), 'theirs');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
  const before = readdirSync(folder);
  const refused = thrownBy(SettingsError, () => requireDirectory('--report', path()));
  expect(refused.message).toContain(
    `--report must name a directory that can be written to; given was "${path()}"`,
  );
  expect(refused.message).toMatch(reason);
  expect(() => makeDirectory(path())).toThrow(/E[A-Z]+/);
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('theirs');
});

test('a directory that can be written to passes, and nothing is left there', () => {
  requireDirectory('--report', folder);
  requireDirectory('--report', join(folder, 'not', 'yet'));
  requireFile('--json', join(folder, 'score.json'));
  expect(readdirSync(folder)).toEqual([]);
});

test('an impossible file is refused by name, a device is written to', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => requireFile('--json', folder)).toThrow(`--json must name a file; "${folder}" is a directory.`);
  expect(() => requireFile('--json', join(folder, 'file', 'score.json'))).toThrow(
    /^--json must name a file that can be written; given was .*ENOTDIR/,
  );
  expect(() => requireFile('--json', '/dev/null')).not.toThrow();
});

test('what is written replaces a link of that name, and follows none', () => {
  const theirs = join(folder, 'theirs');
  writeFileSync(theirs, 'theirs');
  const file = join(folder, 'run.json');
  for (const name of [file, `${file}.partial`, `${file}.partial-${process.pid}`]) symlinkSync(theirs, name);
  writeWhole(file, 'ours');
  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  expect(lstatSync(file).isFile()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('ours');
});

test('what cannot be written leaves neither a part nor a change', () => {
  const file = join(folder, 'run.json');
  mkdirSync(file);
  expect(() => writeWhole(file, 'ours')).toThrow(/EISDIR/);
  expect(readdirSync(folder)).toEqual(['run.json']);
});

test('a temporary directory is made, or TMPDIR is named', () => {
  const made = temporaryDirectory('writing-test-');
  expect(existsSync(made)).toBe(true);
  rmSync(made, { recursive: true });
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
  expect(() => temporaryDirectory('x-')).toThrow(
    `TMPDIR must name a directory that can be written to; given was "${join(folder, 'nowhere')}": no such file or directory (ENOENT).`,
  );
});

test('a refusal of the system is told apart from other errors', () => {
  const refused = thrownBy(Error, () => readFileSync(join(folder, 'nowhere')));
  expect(refusalOf(refused)).toBe('no such file or directory (ENOENT)');
  expect([refused, new Error('a mistake'), undefined].map(isOfSystem)).toEqual([true, false, false]);
  expect(refusalOf(new Error('a mistake'))).toBe('a mistake');
});
