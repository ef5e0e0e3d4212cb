import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { GroupWriter } from './group-writer.ts';

function writerOn(schema: string) {
  const db = new Sqlite(':memory:');
  db.exec(schema);
  const transactions: string[] = [];
  const spy = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          const statement = target.prepare(sql);
          return {
            run() {
              transactions.push(sql);
              return statement.run();
            },
          };
        };
      }
      return Reflect.get(target, name) as unknown;
    },
  });
  return { db, writer: new GroupWriter(spy), transactions };
}

test('the writes of one turn are committed together', async () => {
  const { db, writer, transactions } = writerOn('CREATE TABLE t (n INTEGER)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const results = await Promise.all([1, 2, 3].map((n) => writer.write(() => insert.run(n) && n * 10)));
  expect(results).toEqual([10, 20, 30]);
  expect(transactions).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
});

test('no promise resolves before the commit', async () => {
  const { db, writer, transactions } = writerOn('CREATE TABLE t (n INTEGER)');
  const acknowledged = writer.write(() => db.prepare('INSERT INTO t VALUES (1)').run()).then(() => transactions.at(-1));
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

test('settled waits for what is still to be written', async () => {
  const { db, writer } = writerOn('CREATE TABLE t (n INTEGER)');
  void writer.write(() => db.prepare('INSERT INTO t VALUES (1)').run());
  await writer.settled();
  expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(1);
});
