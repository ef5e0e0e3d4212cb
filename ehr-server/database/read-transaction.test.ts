import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { readTransactions } from './read-transaction.ts';

/** Two connections to one file with one row. The journal mode decides how they lock. */
function connections(journal: 'WAL' | 'DELETE') {
  const folder = folderInMemory();
  const open = () => openSqlite(join(folder, 'file.sqlite'), { timeout: 0 });
  const [db, other] = [open(), open()];
  db.pragma(`journal_mode = ${journal}`);
  db.exec('CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)');
  onTestFinished(() => {
    db.close();
    other.close();
  });
  const { begin, end } = readTransactions(db);
  const statement = db.prepare('SELECT n FROM t').pluck();
  const read = () => {
    begin();
    return statement.get();
  };
  return { db, other, read, begin, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('reads of a turn see one state, and the next turn sees more', async () => {
  const { other, read } = connections('WAL');
  expect(read()).toBe(1);
  other.exec('UPDATE t SET n = 2');
  expect(read()).toBe(1);
  await Promise.resolve();
  expect(read()).toBe(1);
  await turn();
  expect(read()).toBe(2);
  other.exec('UPDATE t SET n = 3');
  expect(read()).toBe(2);
});

test('the lock is held until the turn is over, and no longer', async () => {
  const { other, read } = connections('DELETE');
  read();
  expect(() => other.exec('BEGIN EXCLUSIVE')).toThrow('locked');
  await turn();
  other.exec('BEGIN EXCLUSIVE; UPDATE t SET n = 2; COMMIT');
  expect(read()).toBe(2);
});

test('reads go on after they are ended for other operations', async () => {
  const { db, other, read, end } = connections('WAL');
  expect(read()).toBe(1);
  other.exec('UPDATE t SET n = 2');
  expect(() => db.exec('BEGIN IMMEDIATE')).toThrow();
  end();
  db.exec('BEGIN IMMEDIATE; UPDATE t SET n = n + 1; COMMIT');
  expect(read()).toBe(3);
  await turn();
  expect(db.inTransaction).toBe(false);
});

test('a transaction of somebody else is neither begun nor ended', async () => {
  const { db, read } = connections('WAL');
  db.exec('BEGIN IMMEDIATE; UPDATE t SET n = 2');
  expect(read()).toBe(2);
  await turn();
  expect(db.inTransaction).toBe(true);
  db.exec('COMMIT');
});

test('a read that fails costs the others of its turn nothing', async () => {
  const { db, other, read } = connections('DELETE');
  other.exec('BEGIN EXCLUSIVE');
  expect(read).toThrow('locked');
  other.exec('COMMIT');
  expect(read()).toBe(1);
  // SQLite does the same by itself when the disk fails.
  db.exec('ROLLBACK');
  expect(read()).toBe(1);
  await turn();
  expect(db.inTransaction).toBe(false);
});

test('two readers of one connection do not meet, another goes on', async () => {
  const { db, other, read, end } = connections('WAL');
  const again = readTransactions(db);
  const elsewhere = readTransactions(other);
  read();
  again.begin();
  elsewhere.begin();
  expect([db.inTransaction, other.inTransaction]).toEqual([true, true]);
  again.end();
  expect([db.inTransaction, other.inTransaction]).toEqual([true, true]);
  end();
  expect([db.inTransaction, other.inTransaction]).toEqual([false, true]);
  again.begin();
  read();
  await turn();
  expect([db.inTransaction, other.inTransaction]).toEqual([false, false]);
});

test('reads begun again end with the turn as well', async () => {
  const { db, read, begin, end } = connections('WAL');
  read();
  end();
  begin();
  expect(db.inTransaction).toBe(true);
  await turn();
  expect(db.inTransaction).toBe(false);
});

test('a connection can be closed in the turn in which it was read', async () => {
  const { db, read } = connections('WAL');
  read();
  db.close();
  await turn();
});
