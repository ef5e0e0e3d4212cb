import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openSqlite } from './sqlite.ts';
import { isLogWhole } from './write-ahead-log.ts';

function withLog() {
  const folder = temporaryFolder();
  const file = join(folder, 'a.sqlite');
  const db = openSqlite(file);
  onTestFinished(() => {
    db.close();
  });
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (a)');
  const write = () => db.exec('INSERT INTO t VALUES (randomblob(20000))');
  write();
  return { file, db, write, wal: `${file}-wal` };
}

test('a log is whole while written, restarted, or emptied by another process', () => {
  const { file, db, write, wal } = withLog();
  expect(isLogWhole(db, wal)).toBe(true);
  db.pragma('wal_checkpoint(PASSIVE)');
  for (let turn = 0; turn < 3; turn++) {
    write();
    expect(isLogWhole(db, wal)).toBe(true);
  }
  const other = openSqlite(file);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  expect([statSync(wal).size, isLogWhole(db, wal)]).toEqual([0, true]);
  write();
  expect(isLogWhole(db, wal)).toBe(true);
});

test('a log that was cut is not whole, even if written since', () => {
  for (const part of [0, 0.5]) {
    const { db, write, wal } = withLog();
    truncateSync(wal, Math.floor(statSync(wal).size * part));
    expect(isLogWhole(db, wal)).toBe(false);
    write();
    expect(isLogWhole(db, wal)).toBe(false);
  }
});

test('what was cut off behind the end that SQLite counts on is not missing', () => {
  const { db, write, wal } = withLog();
  for (let turn = 0; turn < 5; turn++) write();
  db.pragma('wal_checkpoint(PASSIVE)');
  write();
  truncateSync(wal, Math.floor(statSync(wal).size / 2));
  expect(isLogWhole(db, wal)).toBe(true);
});

test('a frame of another log is not taken for one of this log', () => {
  const { db, wal } = withLog();
  const descriptor = openSync(wal, 'r+');
  writeSync(descriptor, Buffer.alloc(24, 7), 0, 24, 32 + 24 + 4_096);
  closeSync(descriptor);
  expect(isLogWhole(db, wal)).toBe(false);
});
