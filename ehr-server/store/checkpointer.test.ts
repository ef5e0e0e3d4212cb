import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type Checkpointer, type CheckpointLimits, checkpointerFor } from './checkpointer.ts';
import { openDatabase } from './open-database.ts';

const LIMITS: CheckpointLimits = { look: 10, enough: 20, long: 200, most: 100_000 };
const PAGE = 4_096;

type Subject = { db: Database; log: string; checkpointer: Checkpointer; write(rows: number): void };

/** A table in a file, each row of which fills a page, beside the checkpointer of the file. */
function subjectWith(limits: CheckpointLimits = LIMITS): Subject {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  const file = join(folder, 'store.sqlite');
  const db = openDatabase(file);
  db.exec('CREATE TABLE t (filler BLOB)');
  const checkpointer = checkpointerFor(db, limits);
  onTestFinished(async () => {
    await checkpointer.stop();
    db.close();
    rmSync(folder, { recursive: true });
  });
  const insert = db.prepare('INSERT INTO t VALUES (zeroblob(3500))');
  return {
    db,
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

test('what was committed comes into the file by itself, and no commit has to do it', async () => {
  const { db, write } = subjectWith();
  write(60);
  // A commit that did it would have done it by now.
  expect(missing(db)).toBeGreaterThan(100);
  await expect.poll(() => missing(db), { timeout: 5_000 }).toBe(0);
});

test('a log that became long is begun anew, however long writes go on', async () => {
  const { db, log, write } = subjectWith();
  let written = 0;
  let longest = 0;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  while (written < 4_000) {
    write(10);
    written += 10;
    // In the time of one pass the writes of some turns come in, as they do behind a socket.
    for (let wait = 0; wait < 100 && missing(db) > LIMITS.enough; wait++) await turn();
    longest = Math.max(longest, progressOf(db).log);
  }
  // Each row writes at least a page into the log: without a new beginning there would be more than 4,000.
  expect(longest).toBeLessThan(2_000);
  expect(statSync(log).size).toBeLessThan(2_000 * (PAGE + 24));
  expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(4_000);
});

test('little is left where it is, and begins no thread', async () => {
  const { db, checkpointer, write } = subjectWith({ ...LIMITS, enough: 1_000 });
  write(30);
  // A thread would do what it was asked for before it stops.
  await checkpointer.stop();
  expect(progressOf(db).checkpointed).toBe(0);
});

test('after a stop the file can be closed as by its last user, which leaves no log behind', async () => {
  const { db, log, checkpointer, write } = subjectWith();
  write(60);
  await checkpointer.stop();
  expect(existsSync(log)).toBe(true);
  db.close();
  expect(existsSync(log)).toBe(false);
  // Whoever asks once more is not left waiting.
  await checkpointer.stop();
});

test('without a thread SQLite does it within commits, as it does by itself', async () => {
  const { db, write } = subjectWith();
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(LIMITS.most);
  // The thread opens the file by its name, and finds nothing there.
  const withoutName = checkpointerFor(namedOtherwise(db), { ...LIMITS, enough: 1 });
  write(9);
  withoutName.wrote(10);
  await expect.poll(() => db.pragma('wal_autocheckpoint', { simple: true }), { timeout: 5_000 }).toBe(1_000);
  withoutName.wrote(1_000);
  await withoutName.stop();
});

test('a database in memory has no log, and needs nothing', async () => {
  const db = openDatabase(':memory:');
  const checkpointer = checkpointerFor(db);
  checkpointer.wrote(100_000);
  await checkpointer.stop();
  db.close();
});

function namedOtherwise(db: Database): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'name') return `${target.name}-is-gone`;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
