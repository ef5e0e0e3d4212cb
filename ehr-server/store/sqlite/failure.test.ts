import { beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { createLog, Unavailable } from '#service/process/log.ts';
import { loadSqlite, OpenError, SqliteUnavailable } from '#service/sqlite.ts';
import { failedToOpen, sqliteFailures, troubleOf } from './failure.ts';

const FILE = '/data/ehr.sqlite';

/** The error that SQLite throws with this code. */
const sqliteError = (code: string) => new (loadSqlite().SqliteError)(`told as ${code}`, code);

let now = 0;
beforeEach(() => {
  now = Date.UTC(2026, 0, 15, 9);
  vi.spyOn(systemClock, 'now').mockImplementation(() => now);
});

function failuresOfFile() {
  const lines: { msg: string; calls: number }[] = [];
  const log = createLog('ehr-server', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  return { failures: sqliteFailures(FILE, log), told: () => lines.splice(0).map(({ msg }) => msg) };
}

test.each([
  ['SQLITE_BUSY', 'another process holds its lock'],
  ['SQLITE_BUSY_SNAPSHOT', 'another process holds its lock'],
  ['SQLITE_LOCKED', 'another process holds its lock'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'it cannot be written'],
  ['SQLITE_PERM', 'it cannot be written'],
  ['SQLITE_CORRUPT', 'it is damaged'],
  ['SQLITE_NOTADB', 'it is damaged'],
  ['SQLITE_IOERR_SHORT_READ', 'it is damaged'],
  ['SQLITE_CANTOPEN', 'it cannot be opened'],
  ['SQLITE_NOMEM', 'there is no memory left'],
  ['SQLITE_IOERR_NOMEM', 'there is no memory left'],
  ['SQLITE_IOERR_WRITE', 'the disk does not do what it is asked'],
])('a call that fails with %s is explained, with what to do', (code, fact) => {
  const { failures, told } = failuresOfFile();
  const error = failures.failed(sqliteError(code));
  expect(error).toBeInstanceOf(Unavailable);
  expect(error?.message).toMatch(new RegExp(`^The database ${FILE} fails: ${fact}.*\\.$`));
  expect(told()).toEqual([expect.stringContaining(`the database ${FILE} fails calls: ${fact}`)]);
});

test('an error that is not SQLite’s, or of a statement, is thrown unchanged', () => {
  const { failures, told } = failuresOfFile();
  for (const error of [sqliteError('SQLITE_CONSTRAINT_UNIQUE'), new Error('SQLITE_FULL'), undefined]) {
    expect(troubleOf(error)).toBeUndefined();
    expect(failures.failed(error)).toBeUndefined();
  }
  expect(told()).toEqual([]);
  expect(() => failures.check()).not.toThrow();
});

test('a lasting failure is told now and then, and its end once', () => {
  const { failures, told } = failuresOfFile();
  const fail = () => failures.failed(sqliteError('SQLITE_READONLY'));
  fail();
  fail();
  expect(told()).toHaveLength(1);
  now += 999;
  failures.committed();
  expect(told()).toEqual([]);
  now += 1;
  failures.committed();
  failures.committed();
  expect(told()).toEqual([`the database ${FILE} takes changes again`]);
});

test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE'])('for a second after %s the server is not ready', (code) => {
  const { failures } = failuresOfFile();
  expect(() => failures.check()).not.toThrow();
  failures.failed(sqliteError(code));
  now += 999;
  expect(() => failures.check()).toThrow(Unavailable);
  now += 1;
  expect(() => failures.check()).not.toThrow();
  // A clock that was set back must not keep the server from being ready.
  now -= 3_600_000;
  expect(() => failures.check()).not.toThrow();
});

test('a lock of another process does not keep the server from trying', () => {
  const { failures } = failuresOfFile();
  failures.failed(sqliteError('SQLITE_BUSY'));
  expect(() => failures.check()).not.toThrow();
});

test('a damaged file stays damaged, whatever is committed later', () => {
  const { failures, told } = failuresOfFile();
  failures.failed(sqliteError('SQLITE_CORRUPT'));
  expect(told()).toHaveLength(1);
  now += 3_600_000;
  failures.committed();
  expect(told()).toEqual([]);
  expect(() => failures.check()).toThrow('it is damaged');
});

test('a file that cannot be opened is named with what to do', () => {
  const said = (cause: unknown) => failedToOpen('the database', FILE, cause).message;
  expect(said(sqliteError('SQLITE_READONLY'))).toMatch(
    new RegExp(
      `^Failed to open the database ${FILE}: it cannot be written\\. Please .* \\(told as SQLITE_READONLY\\)\\.$`,
    ),
  );
  expect(said(new Error('no such directory'))).toBe(
    `Failed to open the database ${FILE}: no such directory. Please check the path and its permissions, or name another file with --database.`,
  );
  // A module that does not fit this Node is not the fault of the file.
  expect(
    said(new SqliteUnavailable('better-sqlite3 is not installed', { remedy: 'Please install it' })),
  ).toBe(`Failed to open the database ${FILE}: better-sqlite3 is not installed. Please install it.`);
  const own = new OpenError('Failed to open the database elsewhere: it is locked.');
  expect(failedToOpen('the database', FILE, own)).toBe(own);
});
