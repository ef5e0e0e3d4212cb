import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { readTransactions } from '../../database/read-transaction.ts';
import { GroupWriter, NO_FLUSH } from './group-writer.ts';

/** A writer on a database in memory, what transactions it made, and a switch that fails its rollbacks. */
function writerOn(schema: string) {
  const failing = { rollback: false };
  const db = openSqlite(':memory:');
  db.exec(schema);
  const transactions: string[] = [];
  const spy = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare')
        return (sql: string) => {
          const statement = target.prepare(sql);
          return {
            run() {
              if (failing.rollback && sql === 'ROLLBACK') throw new Error('no rollback');
              transactions.push(sql);
              return statement.run();
            },
          };
        };
      return Reflect.get(target, name) as unknown;
    },
  });
  return { db, writer: new GroupWriter(spy), transactions, failing };
}

test('the writes of one turn are committed together', async () => {
  const { db, writer, transactions } = writerOn('CREATE TABLE t (n INTEGER)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const results = await Promise.all([1, 2, 3].map((n) => writer.write(() => insert.run(n) && n * 10)));
  expect(results).toEqual([10, 20, 30]);
  expect(transactions).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
});

test('a group is written after the reads of its turn have ended', async () => {
  const db = openSqlite(':memory:');
  db.exec('CREATE TABLE t (n INTEGER)');
  const reads = readTransactions(db);
  let ended = 0;
  const endReads = () => {
    ended++;
    reads.end();
  };
  const writer = new GroupWriter(db, { endReads });
  const insert = db.prepare('INSERT INTO t VALUES (1)');
  const saved = writer.write(() => insert.run().changes, NO_FLUSH);
  // Scheduled after the write of this tick, so that it runs after the commit.
  reads.begin();
  expect(db.inTransaction).toBe(true);
  expect(await saved).toBe(1);
  expect(ended).toBe(1);
});

test('a commit that flushes waits as long as each turn brings writes', async () => {
  const { db, writer, transactions } = writerOn('CREATE TABLE t (n INTEGER)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const writes: Promise<unknown>[] = [];
  for (let n = 0; n < 3; n++) {
    writes.push(writer.write(() => insert.run(n)));
    await turn();
  }
  await Promise.all(writes);
  expect(transactions).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  // A write that needs no flush is not waited for.
  const access = writer.write(() => insert.run(9), NO_FLUSH);
  await turn();
  expect(transactions).toHaveLength(4);
  await access;
});

test('the promise of a write resolves after its commit', async () => {
  const { db, writer, transactions } = writerOn('CREATE TABLE t (n INTEGER)');
  const acknowledged = writer
    .write(() => db.prepare('INSERT INTO t VALUES (1)').run())
    .then(() => transactions.at(-1));
  expect(await acknowledged).toBe('COMMIT');
});

test('an operation that fails does not fail its neighbours and leaves nothing behind', async () => {
  const { db, writer } = writerOn('CREATE TABLE t (n INTEGER UNIQUE)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const bad = () => {
    insert.run(99);
    throw new Error('bad operation');
  };
  const outcomes = await Promise.allSettled([
    writer.write(() => insert.run(1)),
    writer.write(bad),
    writer.write(() => insert.run(2)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(db.prepare('SELECT n FROM t ORDER BY n').pluck().all()).toEqual([1, 2]);
});

test('when the commit fails every call of the group fails and nothing is stored', async () => {
  const { db, writer } = writerOn(
    'PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED)',
  );
  const good = writer.write(() => db.prepare('INSERT INTO p VALUES (1)').run());
  const dangling = writer.write(() => db.prepare('INSERT INTO c VALUES (7)').run());
  const outcomes = await Promise.allSettled([good, dangling]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(db.prepare('SELECT count(*) FROM p').pluck().get()).toBe(0);
  await writer.write(() => db.prepare('INSERT INTO p VALUES (2)').run());
  expect(db.prepare('SELECT id FROM p').pluck().all()).toEqual([2]);
});

test('settled() waits for the writes that are queued', async () => {
  const { db, writer } = writerOn('CREATE TABLE t (n INTEGER)');
  void writer.write(() => db.prepare('INSERT INTO t VALUES (1)').run());
  await writer.settled();
  expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(1);
});

/**
 * A file with an empty table, a writer of it that waits at most `lockTimeoutMs` milliseconds, and another
 * process's connection.
 */
function sharedFile(lockTimeoutMs: number) {
  const folder = folderInMemory();
  const file = join(folder, 'shared.sqlite');
  const db = openSqlite(file, { timeout: 0 });
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)');
  const other = openSqlite(file, { timeout: 0 });
  onTestFinished(() => {
    for (const each of [db, other]) each.close();
  });
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const rows = () => other.prepare('SELECT n FROM t ORDER BY n').pluck().all();
  const groups: number[] = [];
  const writer = new GroupWriter(db, { lockTimeoutMs, onCommit: (size) => groups.push(size) });
  return { db, other, rows, groups, writer, add: (n: number) => writer.write(() => insert.run(n)) };
}

test('writes wait for a lock of another process, the event loop does not', async () => {
  const { db, other, rows, groups, writer, add } = sharedFile(60_000);
  other.exec('BEGIN IMMEDIATE');
  const waiting = [add(1), add(2)];
  await expect.poll(() => writer.locked?.message).toBe('database is locked');
  // The writer finds the lock taken several times. In between, reads are answered and more writes come.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
  waiting.push(add(3));
  other.exec('ROLLBACK');
  await Promise.all(waiting);
  expect([rows(), groups, writer.locked]).toEqual([[1, 2, 3], [3], undefined]);
});

test('a write that waited too long fails, and later ones succeed', async () => {
  const { other, rows, writer, add } = sharedFile(100);
  other.exec('BEGIN IMMEDIATE');
  const settled = vi.fn();
  const failing = add(1);
  void writer.settled().then(settled);
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  await expect.poll(() => settled.mock.calls.length).toBe(1);
  other.exec('ROLLBACK');
  await add(2);
  expect(rows()).toEqual([2]);
});

test('a full disk fails a group whole, and later ones succeed', async () => {
  const { db, rows, writer, add } = sharedFile(0);
  const limit = db.pragma('page_count', { simple: true });
  db.pragma(`max_page_count = ${limit}`);
  const tries = vi.fn();
  const big = db.prepare(
    'WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 5000) INSERT INTO t SELECT n FROM many',
  );
  const counted = (operation: () => unknown) => () => {
    tries();
    return operation();
  };
  const outcomes = await Promise.allSettled([
    writer.write(counted(() => 1)),
    writer.write(counted(() => big.run())),
    writer.write(counted(() => 3)),
  ]);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
    'SQLITE_FULL',
    'SQLITE_FULL',
    'SQLITE_FULL',
  ]);
  // The writes are not tried one by one: a full disk is full for all of them.
  expect(tries).toHaveBeenCalledTimes(2);
  expect(rows()).toEqual([]);
  db.pragma('max_page_count = 1000000');
  await add(2);
  expect(rows()).toEqual([2]);
});

test('a failed rollback fails its calls, and the next group repeats it', async () => {
  const { db, writer, transactions, failing } = writerOn('CREATE TABLE t (n INTEGER)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const bad = writer.write(() => {
    insert.run(1);
    failing.rollback = true;
    throw new Error('bad operation');
  });
  await expect(bad).rejects.toThrow('no rollback');
  failing.rollback = false;
  await writer.write(() => insert.run(2));
  expect(transactions.at(-3)).toBe('ROLLBACK');
  expect(db.prepare('SELECT n FROM t').pluck().all()).toEqual([2]);
});

test('ten thousand writes may wait for a lock, the next is refused', async () => {
  const { other, rows, writer, add } = sharedFile(60_000);
  other.exec('BEGIN IMMEDIATE');
  const waiting = [add(0)];
  await expect.poll(() => writer.locked?.message).toBe('database is locked');
  for (let n = 1; n < 10_000; n++) waiting.push(add(n));
  await expect(add(10_000)).rejects.toThrow('database is locked');
  other.exec('ROLLBACK');
  await Promise.all(waiting);
  expect(rows()).toHaveLength(10_000);
});
