import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../set-up/set-up.mjs';
import { rooms } from './rooms.ts';
import { sampleOf } from './sample.mjs';
import { type Equivalent, readEquivalents, scoreOf } from './score.ts';

const FILE = 'protocol/methods/maybe-promise.ts';

const mutant = (line: number) => ({
  id: String(line),
  fileName: join(root, FILE),
  location: { start: { line, column: 1 }, end: { line, column: 4 } },
  mutatorName: 'StringLiteral',
  replacement: '""',
});
const mutants = Array.from({ length: 50 }, (_, index) => mutant(index + 1));
const drawn = (draw: object = {}, from = mutants) =>
  [...sampleOf(from, { count: 10, seed: 1, root, ...draw })].sort((a, b) => Number(a) - Number(b));

describe('the sample', () => {
  test('has as many mutants as were asked for, and no more than there are', () => {
    expect(drawn()).toHaveLength(10);
    expect(drawn({ count: 80 })).toHaveLength(50);
  });

  test('is the same for one seed, in any order and place', () => {
    expect(drawn({}, [...mutants].reverse())).toEqual(drawn());
    const elsewhere = mutants.map((one) => ({ ...one, fileName: join('/elsewhere', FILE) }));
    expect(drawn({ root: '/elsewhere' }, elsewhere)).toEqual(drawn());
    expect(drawn({ seed: 2 })).not.toEqual(drawn());
  });
});

describe('the score', () => {
  const lines = readFileSync(join(root, FILE), 'utf8').split('\n');
  const result = (status: string, line = 1) => ({ ...mutant(line), status });
  const score = (results: ReturnType<typeof result>[], known: readonly Equivalent[] = []) =>
    scoreOf(results, { seed: 1, root, equivalents: known });

  test('is the share of noticed mutants, endless ones among them', () => {
    const found = score([result('Killed'), result('Timeout'), result('Survived'), result('NoCoverage')]);
    expect(found).toMatchObject({ mutants: 4, tested: 4, killed: 1, timedOut: 1, score: 50 });
  });

  test('is rounded down, so that a missed least score stays missed', () => {
    const found = score([result('Killed'), result('Killed'), result('Survived')]);
    expect(found.score).toBe(66.6);
  });

  test('leaves out mutants that were not drawn, and those that are equivalent', () => {
    const known = [{ file: FILE, line: lines[0] ?? '', replacement: '""', because: 'a comment' }];
    const found = score([result('Killed', 2), result('CompileError', 3), result('Survived')], known);
    expect(found).toMatchObject({ mutants: 3, tested: 2, equivalent: 1, score: 100 });
  });

  test('names the changed code, its replacement, and the reason if equivalent', () => {
    const known = [{ file: FILE, line: lines[0] ?? '', code: '/**', because: 'a comment' }];
    const { unnoticed } = score([result('Survived'), result('Survived', 2)], known);
    expect(unnoticed).toContainEqual({
      file: FILE,
      line: lines[0],
      code: '/**',
      replacement: '""',
      because: 'a comment',
    });
    expect(unnoticed.filter(({ because }) => because === undefined)).toHaveLength(1);
  });
});

test('each line that is said to have an equivalent mutant stands in its file', () => {
  for (const { file, line, code = '', because } of readEquivalents()) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    expect(
      lines.map((text) => text.trim()),
      `${file}: ${because}`,
    ).toContain(line);
    if (code.length < line.length) expect(line, because).toContain(code);
  }
});

test('each name in the lists of a room is that of a file', () => {
  for (const { name, sources, tests, importedLate = [] } of rooms)
    for (const glob of [...sources, ...tests, ...importedLate]
      .filter((one) => !one.startsWith('!'))
      .flatMap(alternatives))
      expect(
        filesBelow(glob.split('/')[0] ?? '').filter((file) => matchesGlob(file, glob)),
        `${name}: ${glob}`,
      ).not.toEqual([]);
});

const filesBelow = (directory: string) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((file) =>
    join(directory, file),
  );

/** The globs that a glob with braces stands for. */
function alternatives(glob: string): string[] {
  const [braces, names = ''] = /\{(.*?)\}/.exec(glob) ?? [];
  return braces === undefined
    ? [glob]
    : names.split(',').flatMap((name) => alternatives(glob.replace(braces, name)));
}

test('a room that there is not is refused with those that there are', () => {
  const command = ['scripts/run.mjs', 'scripts/mutants/main.ts', 'kitchen'];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(2);
  for (const { name } of rooms) expect(stderr).toContain(name);
});
