/** Runs checkpoints in a thread, which copies commits from the log into the file while calls go on. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { sqliteModule } from '#service/sqlite.ts';

export type Checkpointer = {
  /** Note committed writes. Call it outside of transactions. */
  wrote(writes: number): void;
  /** Stop the thread and wait until it has closed the file, so that the next close removes the log. */
  stop(): Promise<void>;
};

/** When to make a checkpoint. */
export type CheckpointLimits = {
  /** The length of the log is checked after this many writes. */
  writesPerLook: number;
  /** A checkpoint is made for at least this many pages that are not in the file yet. */
  minPages: number;
  /** A log of this length is restarted: the server pauses all calls and copies what the thread has left. */
  restartPages: number;
  /** If the thread falls behind this far, SQLite makes the checkpoint itself, within a commit. */
  maxPages: number;
};

/** The limits of the server. */
const LIMITS: CheckpointLimits = {
  writesPerLook: 50,
  minPages: 4_000,
  restartPages: 16_000,
  maxPages: 32_000,
};

/** SQLite's own default. */
const SQLITE_AUTOCHECKPOINT_PAGES = 1_000;

/** The state of the log in pages: those in the log, and those of them that are in the file as well. */
type Progress = { log: number; checkpointed: number };

/** The program of the thread: a text, so that no file has to be found from the bundle or the sources. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.driver);
const db = new Database(workerData.file, { fileMustExist: true, timeout: 0 });
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
parentPort.on('message', (request) => {
  if (request === 'stop') {
    db.close();
    parentPort.close();
    return;
  }
  try {
    parentPort.postMessage(checkpoint.get());
  } catch {
    // The disk may be full. The next commits will report it, and the next checkpoint catches up.
    parentPort.postMessage(undefined);
  }
});
`;

/**
 * Move the checkpoints of `db`, a file in WAL mode, out of its commits. The thread starts on demand.
 * @param prepare ends the reads under way, because SQLite restarts the log only while nobody reads. It throws
 *   where no checkpoint may be made.
 */
export function checkpointerFor(
  db: Database,
  prepare: () => void,
  limits: CheckpointLimits = LIMITS,
): Checkpointer {
  const { writesPerLook, minPages, restartPages, maxPages } = limits;
  const length = db.prepare<[], Progress>('PRAGMA wal_checkpoint(NOOP)');
  const checkpoint = db.prepare<[], Progress>('PRAGMA wal_checkpoint(PASSIVE)');
  let thread: Worker | undefined;
  let isUnderWay = false;
  let writes = 0;
  letSqliteDoIt(db, maxPages);

  const onAnswer = (progress: Progress | undefined) => {
    isUnderWay = false;
    // Only a write that finds the whole log in the file restarts it, so copy here what came in meanwhile.
    if (!progress || progress.log < restartPages || !db.open) return;
    attempt(() => {
      prepare();
      return checkpoint.get();
    });
  };

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
      thread ??= startThread(db, onAnswer);
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

/** Have SQLite make a checkpoint itself, within a commit, once so many pages are missing from the file. */
function letSqliteDoIt(db: Database, pages: number): void {
  db.pragma(`wal_autocheckpoint = ${pages}`);
}

/** Start the thread. If it fails, it never answers its request, so it gets no more, and SQLite takes over. */
function startThread(db: Database, onAnswer: (progress: Progress | undefined) => void): Worker {
  const thread = new Worker(THREAD, {
    eval: true,
    name: 'checkpoints',
    workerData: { file: db.name, driver: sqliteModule() },
    // The thread does not need the Node flags of the server.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  thread.on('message', onAnswer);
  thread.on('error', () => {
    if (db.open) letSqliteDoIt(db, SQLITE_AUTOCHECKPOINT_PAGES);
  });
  thread.unref();
  return thread;
}

/** Ignore an error: no call depends on this operation, and it is tried again later. */
function attempt<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch {
    return undefined;
  }
}
