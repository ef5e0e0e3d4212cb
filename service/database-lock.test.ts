import { existsSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { isServed, lockDatabase } from './database-lock.ts';
import { sqliteModule } from './sqlite.ts';

function inFolder() {
  const folder = realpathSync(temporaryFolder());
  return { folder, file: join(folder, 'a.sqlite') };
}

test('a database is locked once under all names, until released', () => {
  const { folder, file } = inFolder();
  writeFileSync(file, '');
  symlinkSync(file, join(folder, 'link'));
  expect([isServed(file), readdirSync(folder)]).toEqual([false, ['a.sqlite', 'link']]);
  const lock = lockDatabase(file);
  expect([isServed(file), isServed(join(folder, 'link')), lockDatabase(file)]).toEqual([
    true,
    true,
    undefined,
  ]);
  expect(readdirSync(folder)).toEqual(['a.sqlite', 'a.sqlite-lock', 'link']);
  expect(statSync(`${file}-lock`)).toMatchObject({ size: 0, mode: 0o100600 });
  lock?.release();
  expect(isServed(file)).toBe(false);
  const again = lockDatabase(join(folder, 'link'));
  expect([isServed(file), existsSync(join(folder, 'link-lock'))]).toEqual([true, false]);
  again?.release();
});

test('the lock of a process ends with it, however it ends', async () => {
  const { file } = inFolder();
  lockDatabase(file)?.release();
  const holder = useProgram(['-e', HOLDER, sqliteModule(), `${file}-lock`]);
  await holder.says(/./);
  expect([isServed(file), lockDatabase(file)]).toEqual([true, undefined]);
  await holder.stop('SIGKILL');
  const lock = lockDatabase(file);
  expect(lock).toBeDefined();
  lock?.release();
});

/** Holds the lock as a server in another process does. */
const HOLDER = `
  const [module, file] = process.argv.slice(1);
  const lock = new (require(module))(file);
  lock.exec('BEGIN EXCLUSIVE');
  console.log('held');
  setInterval(() => lock.open, 1_000);
`;

test('a foreign file under the lock’s name is refused, unchanged', () => {
  const { folder, file } = inFolder();
  writeFileSync(join(folder, 'notes'), '');
  for (const make of [
    () => writeFileSync(`${file}-lock`, 'notes'),
    () => symlinkSync(join(folder, 'notes'), `${file}-lock`),
  ]) {
    make();
    expect(() => lockDatabase(file)).toThrow(`${file}-lock is in the way, and is no lock of this program.`);
    expect(statSync(join(folder, 'notes')).mode & 0o777).toBe(0o644);
    rmSync(`${file}-lock`);
  }
});
