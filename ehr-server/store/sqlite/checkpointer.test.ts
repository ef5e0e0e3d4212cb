import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { type ReadTransactions, readTransactions } from '../../database/read-transaction.ts';
import { type Checkpointer, type CheckpointLimits, checkpointerFor } from './checkpointer.ts';
import { openDatabase } from './open-database.ts';

vi.mock('node:worker_threads', { spy: true });

/** A look every ten writes, which add some pages each. SQLite itself never makes a checkpoint. */
const LIMITS: CheckpointLimits = { writesPerLook: 10, minPages: 20, restartPages: 200, maxPages: 100_000 };

type Subject = {
  db: Database;
  reads: ReadTransactions;
  log: string;
  checkpointer: Checkpointer;
  write(rows: number): void;
};

/** A table in a file, with rows that fill a page each, and the checkpointer of the file. */
function subjectWith(limits: CheckpointLimits = LIMITS): Subject {
  const folder = folderInMemory();
  const file = join(folder, 'store.sqlite');
  const db = openDatabase(file);
  db.exec('CREATE TABLE t (filler BLOB)');
  const reads = readTransactions(db);
  const checkpointer = checkpointerFor(db, reads.end, limits);
  onTestFinished(async () => {
    await checkpointer.stop();
    db.close();
  });
  const insert = db.prepare('INSERT INTO t VALUES (zeroblob(3500))');
  return {
    db,
    reads,
    log: `${file}-wal`,
    checkpointer,
    write(rows) {
      for (let row = 0; row < rows; row++) {
        insert.run();
        checkpointer.wrote(1);
      }
    },
  };
}

const progressOf = (db: Database) => {
  const [progress] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
  return progress as { log: number; checkpointed: number };
};
const missing = (db: Database) => {
  const { log, checkpointed } = progressOf(db);
  return log - checkpointed;
};

test('a log that became long is copied at once, by whoever can', async () => {
  const thread = heldThread();
  const { db, reads, write } = subjectWith({ ...LIMITS, minPages: 100_000, restartPages: 40 });
  write(10);
  expect(thread.requests).toEqual([]);
  // One of the next three looks finds 40 pages or more.
  write(30);
  expect(thread.requests).toEqual(['checkpoint']);
  const left = missing(db);
  expect(left).toBeGreaterThan(40);
  // Below restartPages the caller copies nothing.
  thread.emit('message', { log: 39, checkpointed: 0 });
  expect(missing(db)).toBe(left);
  write(10);
  expect(thread.requests).toEqual(['checkpoint', 'checkpoint']);
  reads.begin();
  db.prepare('SELECT * FROM t').get();
  // From restartPages on it copies the rest, and reads in the same tick do not prevent that.
  thread.emit('message', { log: 40, checkpointed: 0 });
  expect(missing(db)).toBe(0);
  write(1);
  expect(progressOf(db).log).toBeLessThan(10);
  // The thread gets no second request before it has answered the first.
  write(100);
  expect(thread.requests).toHaveLength(3);
});

test('a log that became long is begun again while writes go on', async () => {
  const { db, write } = subjectWith();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let { log } = progressOf(db);
  const write5 = async () => {
    write(5);
    await turn();
    ({ log } = progressOf(db));
  };
  // If the log were not restarted, one of these loops would run into the timeout.
  while (log < LIMITS.restartPages) await write5();
  while (log >= LIMITS.restartPages) await write5();
});

test('little is left where it is, and begins no thread', async () => {
  const { db, checkpointer, write } = subjectWith({ ...LIMITS, minPages: 1_000 });
  write(30);
  // A thread would finish its request before it stops.
  await checkpointer.stop();
  expect(progressOf(db).checkpointed).toBe(0);
});

test('what is in the file already counts no more', async () => {
  const { db, checkpointer, write } = subjectWith({
    ...LIMITS,
    writesPerLook: 1,
    minPages: 200,
    restartPages: 100_000,
  });
  const thread = vi.mocked(Worker).mockClear();
  while (missing(db) < 120) write(1);
  db.pragma('wal_checkpoint(PASSIVE)');
  expect(missing(db)).toBe(0);
  checkpointer.wrote(1);
  expect(thread).not.toHaveBeenCalled();
  while (missing(db) < 200) write(1);
  expect(thread).toHaveBeenCalledOnce();
  await checkpointer.stop();
});

test('a stopped checkpointer lets the last close leave no log behind', async () => {
  const { db, log, checkpointer, write } = subjectWith();
  write(60);
  // The thread has opened the file by now.
  await expect.poll(() => progressOf(db).checkpointed, { timeout: 5_000 }).toBeGreaterThan(0);
  await checkpointer.stop();
  expect(existsSync(log)).toBe(true);
  db.close();
  expect(existsSync(log)).toBe(false);
  // A second stop resolves too.
  await checkpointer.stop();
});

test('a stop is over when the thread has ended, and not before', async () => {
  const thread = heldThread();
  const { checkpointer, write } = subjectWith();
  write(60);
  const over = vi.fn();
  const stopping = checkpointer.stop().then(over);
  for (let step = 0; step < 10; step++) await Promise.resolve();
  expect([thread.requests.at(-1), over.mock.calls.length]).toEqual(['stop', 0]);
  await stopping;
});

test('without a thread SQLite does it within commits, as it does by itself', async () => {
  const { db, write } = subjectWith();
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(LIMITS.maxPages);
  // The thread opens the file by its name, and finds no file.
  const withoutName = checkpointerFor(namedOtherwise(db), () => undefined, { ...LIMITS, minPages: 1 });
  // One write less than makes the other checkpointer look.
  write(LIMITS.writesPerLook - 1);
  withoutName.wrote(LIMITS.writesPerLook);
  await expect.poll(() => db.pragma('wal_autocheckpoint', { simple: true }), { timeout: 5_000 }).toBe(1_000);
  // Later writes and the stop ask nothing of the thread that has ended.
  withoutName.wrote(1_000);
  await withoutName.stop();
});

test('a log of unreadable length harms no write', () => {
  const { db, checkpointer, write } = subjectWith();
  const thread = vi.mocked(Worker).mockClear();
  write(5);
  db.close();
  expect(() => checkpointer.wrote(100)).not.toThrow();
  expect(thread).not.toHaveBeenCalled();
});

test('a database in memory has no log, and needs nothing', async () => {
  const db = openDatabase(':memory:');
  const checkpointer = checkpointerFor(db, () => undefined);
  checkpointer.wrote(100_000);
  await checkpointer.stop();
  db.close();
});

/** Replaces the next thread: it does nothing, and ends when it is told to stop. */
function heldThread() {
  const thread = Object.assign(new EventEmitter(), {
    requests: [] as string[],
    threadId: 1,
    ref: () => undefined,
    unref: () => undefined,
    postMessage(request: string) {
      thread.requests.push(request);
      if (request === 'stop') setImmediate(() => thread.emit('exit'));
    },
  });
  vi.mocked(Worker).mockImplementationOnce(function held() {
    return thread as unknown as Worker;
  });
  return thread;
}

function namedOtherwise(db: Database): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'name') return `${target.name}-is-gone`;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
