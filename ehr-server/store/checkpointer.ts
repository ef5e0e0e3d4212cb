/** Checkpoints in a thread of their own: what commits have put into the log beside the file comes into the file while calls go on. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { sqliteModule } from '#service/sqlite.ts';
import { endReadTransactions } from '../read-transaction.ts';

export type Checkpointer = {
  /** Takes note of writes that were committed; to be called outside of transactions. */
  wrote(writes: number): void;
  /** Resolves when the thread has let go of the file: whoever closes it next is the last, and leaves no log behind. */
  stop(): Promise<void>;
};

/** All but the first in pages of the log. */
export type CheckpointLimits = {
  /** After so many writes it is asked how long the log has become. */
  writesPerLook: number;
  /** So many pages that are not in the file yet are worth a checkpoint. */
  minPages: number;
  /** A log of this length is begun anew: the server itself copies what the thread has left, in a short pause of all calls. */
  restartPages: number;
  /** Where the thread is left behind this far, SQLite makes the checkpoint itself, within a commit. */
  maxPages: number;
};

/** The server's own. */
export const LIMITS: CheckpointLimits = { writesPerLook: 50, minPages: 4_000, restartPages: 16_000, maxPages: 32_000 };

/** What SQLite goes by when nobody tells it otherwise. */
const SQLITE_AUTOCHECKPOINT_PAGES = 1_000;

/** What SQLite says of the log, in pages: those in it, and those of them that are in the file as well. */
type Progress = { log: number; checkpointed: number };

/** The whole program of the thread. A text: no file of it has to be found, from the bundle or from the sources. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.driver);
const db = new Database(workerData.file, { fileMustExist: true, timeout: 0 });
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
parentPort.on('message', (wish) => {
  if (wish === 'stop') {
    db.close();
    parentPort.close();
    return;
  }
  try {
    parentPort.postMessage(checkpoint.get());
  } catch {
    // The disk is full, say: the next commits say so, and the next checkpoint makes up for this one.
    parentPort.postMessage(undefined);
  }
});
`;

/** Takes the checkpoints of `db`, which is a file in WAL mode, out of its commits. The thread begins when it is first needed. */
export function checkpointerFor(db: Database, limits: CheckpointLimits = LIMITS): Checkpointer {
  // What is in memory has no log.
  if (db.memory) return { wrote: () => undefined, stop: () => Promise.resolve() };
  const { writesPerLook, minPages, restartPages, maxPages } = limits;
  const length = db.prepare<[], Progress>('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = db.prepare<[], Progress>('PRAGMA wal_checkpoint(PASSIVE)');
  let thread: Worker | undefined;
  let isUnderWay = false;
  let writes = 0;
  const letSqliteDoIt = (pages: number) => void db.pragma(`wal_autocheckpoint = ${pages}`);
  letSqliteDoIt(maxPages);

  function begin(): Worker {
    const begun = new Worker(THREAD, {
      eval: true,
      name: 'checkpoints',
      workerData: { file: db.name, driver: sqliteModule() },
      // What the server itself was started with is not for a thread that does one thing.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 16 },
    });
    begun.on('message', (progress: Progress | undefined) => {
      isUnderWay = false;
      // Only a write that finds all of the log in the file begins it anew: what came in meanwhile is copied here.
      if (!progress || progress.log < restartPages || !db.open) return;
      endReadTransactions();
      attempt(() => checkpoint.get());
    });
    // The thread has ended, and is asked for nothing more: the checkpoint stays under way. All is as without this file.
    begun.on('error', () => {
      if (db.open) letSqliteDoIt(SQLITE_AUTOCHECKPOINT_PAGES);
    });
    begun.unref();
    return begun;
  }

  return {
    wrote(count) {
      writes += count;
      if (writes < writesPerLook || isUnderWay) return;
      writes = 0;
      const progress = attempt(() => length.get());
      if (!progress) return;
      const { log, checkpointed } = progress;
      if (log - checkpointed < minPages && log < restartPages) return;
      isUnderWay = true;
      thread ??= begin();
      thread.postMessage('checkpoint');
    },
    async stop() {
      isUnderWay = true;
      if (!thread || thread.threadId < 0) return;
      thread.ref();
      thread.postMessage('stop');
      await once(thread, 'exit');
    },
  };
}

/** What cannot be had now is tried again later: no call depends on it. */
function attempt<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch {
    return undefined;
  }
}
