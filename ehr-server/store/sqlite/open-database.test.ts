import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openDatabase } from './open-database.ts';

test('a file is opened for durable use, in a folder made for it', () => {
  const db = openDatabase(join(temporaryFolder(), 'deep', 'down', 'ehr.sqlite'));
  onTestFinished(() => void db.close());
  const pragma = (name: string) => db.pragma(name, { simple: true });
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('secure_delete')).toBe(1);
  expect(pragma('mmap_size')).toBe(0);
  expect(pragma('cache_size')).toBe(-4096);
  expect(pragma('busy_timeout')).toBe(2_000);
});

test('a file that is no open database is named with what to do', () => {
  const folder = temporaryFolder();
  const [directory, text] = [join(folder, 'directory'), join(folder, 'text')];
  mkdirSync(directory);
  writeFileSync(text, 'No database. '.repeat(400));
  for (const file of [directory, text])
    expect(() => openDatabase(file)).toThrow(new RegExp(`^Failed to open the database ${file}: `));
});

test('a PostgreSQL address is no file name, and its password untold', () => {
  const open = () => openDatabase('postgres://user:canary@127.0.0.1/ehr');
  expect(open).toThrow(/is a PostgreSQL database; a SQLite file is wanted here\.$/);
  expect(open).not.toThrow(/canary/);
});
