import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchDatabaseFile } from './database-file.ts';
import { createLog } from './process/log.ts';

function watched(options: { ownLength?: () => number } = {}, name = 'a.sqlite') {
  const folder = mkdtempSync(join(tmpdir(), 'place-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.sqlite');
  for (const suffix of ['', '-wal']) writeFileSync(file + suffix, 'x'.repeat(1_000));
  if (name !== 'a.sqlite') symlinkSync(file, join(folder, name));
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  const { check } = watchDatabaseFile(join(folder, name), { log, ...options });
  return { file, check, told: () => lines.map((line) => JSON.parse(line).msg as string) };
}

test('a file in its place is passed without a word, however it grows', () => {
  const { file, check, told } = watched();
  check();
  writeFileSync(file, 'y'.repeat(5_000));
  check();
  expect(told()).toEqual([]);
});

for (const suffix of ['', '-wal']) {
  test(`a file ${suffix || 'itself'} that is moved away fails until it is back, and both are told once`, () => {
    const { file, check, told } = watched();
    renameSync(file + suffix, `${file}.away`);
    for (let turn = 0; turn < 3; turn++) expect(check).toThrow(`The database ${file} is not in its place.`);
    writeFileSync(file + suffix, 'another file under its name'.repeat(100));
    expect(check).toThrow('not in its place');
    renameSync(`${file}.away`, file + suffix);
    check();
    check();
    expect(told()).toEqual([
      `the database ${file} is not in its place: it was deleted, moved or replaced while the server runs. Changes are refused. Please put it back with the files beside it; to go on with another file, restart the server`,
      `the database ${file} is in its place again`,
    ]);
  });
}

test('a file behind a symbolic link is watched with the log beside it', () => {
  const { file, check } = watched({}, 'link.sqlite');
  check();
  rmSync(`${file}-wal`);
  expect(check).toThrow('not in its place');
});

test('a file that was cut short fails for good', () => {
  const { file, check, told } = watched({ ownLength: () => 1_000 });
  truncateSync(file, 500);
  expect(check).toThrow(`The database ${file} was cut short.`);
  writeFileSync(file, 'x'.repeat(1_000));
  expect(check).toThrow('was cut short');
  expect(told()).toEqual([expect.stringContaining('was cut short while the server runs. Please stop the server')]);
});

test('a database that has become shorter by its own account is passed, and an empty file never', () => {
  let length = 500;
  const { file, check } = watched({ ownLength: () => length });
  truncateSync(file, 500);
  check();
  length = 0;
  truncateSync(file, 0);
  expect(check).toThrow('was cut short');
});
