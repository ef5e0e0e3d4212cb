import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { isLogWhole, watchDatabaseFile } from './database-file.ts';
import { recordedLog } from './process/testing-log.ts';
import { openSqlite } from './sqlite.ts';

type Options = { ownLength?: () => number; isLogWhole?: () => boolean };

function watched(options: Options = {}, name = 'a.sqlite') {
  const folder = temporaryFolder();
  const file = join(folder, 'a.sqlite');
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(file + suffix, 'x'.repeat(100_000));
  if (name !== 'a.sqlite') symlinkSync(file, join(folder, name));
  const { log, messages } = recordedLog('info');
  const { check, close } = watchDatabaseFile(join(folder, name), { log, ...options });
  return { file, check, close, told: messages };
}

test('a file in its place is passed without a word, however it grows', () => {
  const { file, check, told } = watched();
  check();
  for (const path of [file, `${file}-wal`]) appendFileSync(path, 'y'.repeat(5_000));
  check();
  expect(told()).toEqual([]);
});

for (const suffix of ['', '-wal'])
  test(`a file ${suffix || 'itself'} that is moved away fails until it is back`, () => {
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

test('a file behind a symbolic link is watched with the log beside it', () => {
  const { file, check } = watched({}, 'link.sqlite');
  check();
  rmSync(`${file}-wal`);
  expect(check).toThrow('not in its place');
});

test('a file that was cut short fails for good', () => {
  const { file, check, told } = watched({ ownLength: () => 100_000 });
  truncateSync(file, 500);
  expect(check).toThrow(`The database ${file} was cut short.`);
  writeFileSync(file, 'x'.repeat(100_000));
  expect(check).toThrow('was cut short');
  expect(told()).toEqual([
    expect.stringContaining('was cut short while the server runs. Please stop the server'),
  ]);
});

test('a database shorter by its own account passes, an empty file never', () => {
  let length = 500;
  const { file, check } = watched({ ownLength: () => length });
  truncateSync(file, 500);
  check();
  length = 0;
  truncateSync(file, 0);
  expect(check).toThrow('was cut short');
});

for (const length of [0, 50_000])
  test(`a log cut to ${length} bytes fails for good, even if written since`, () => {
    for (const regrows of [false, true]) {
      const { file, check, told } = watched({ isLogWhole: () => false });
      check();
      truncateSync(`${file}-wal`, length);
      // SQLite writes where it counts on the end of the log.
      if (regrows) writeAt(`${file}-wal`, 100_000);
      for (let turn = 0; turn < 2; turn++) expect(check).toThrow(`The database ${file} lost its log.`);
      expect(told()).toEqual([expect.stringContaining(`${file}-wal, was cut short while the server runs`)]);
    }
  });

test('a log that another program has emptied in order is passed', () => {
  const { file, check, told } = watched({ isLogWhole: () => true });
  truncateSync(`${file}-wal`, 0);
  check();
  writeAt(`${file}-wal`, 50_000);
  check();
  expect(told()).toEqual([]);
});

test('an absent index of the log fails until back, and asks a restart', () => {
  const { file, check, told } = watched();
  renameSync(`${file}-shm`, `${file}.away`);
  for (let turn = 0; turn < 2; turn++)
    expect(check).toThrow(`The index of the log of ${file} is not in its place.`);
  renameSync(`${file}.away`, `${file}-shm`);
  check();
  expect(told()).toEqual([
    expect.stringMatching(/-shm, is not in its place: .* Changes are refused, .* Please restart the server;/),
    `the index of the log, ${file}-shm, is in its place again`,
  ]);
});

test('an index of the log that another program has made fails for good', () => {
  const { file, check, told } = watched();
  renameSync(`${file}-shm`, `${file}.away`);
  writeFileSync(`${file}-shm`, 'of another program');
  expect(check).toThrow(`The database ${file} was opened beside the server.`);
  renameSync(`${file}.away`, `${file}-shm`);
  expect(check).toThrow('was opened beside the server');
  expect(told()).toEqual([expect.stringContaining(`another program has opened the database ${file} after `)]);
});

test('a database is closed after its last work, a lost one is left', () => {
  for (const isLost of [false, true]) {
    const { file, close } = watched();
    if (isLost) truncateSync(`${file}-wal`, 0);
    const db = openSqlite(':memory:');
    let worked = false;
    close(db, () => {
      worked = true;
    });
    expect([db.open, worked]).toEqual([isLost, !isLost]);
    db.close();
  }
});

function writeAt(file: string, position: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, 'z'.repeat(4_096), position);
  closeSync(descriptor);
}

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
