/** Commits each call, or those of a tick together; a durable group takes those of the next ticks, too. */
import type { Database } from 'better-sqlite3';
import { checkpointerFor } from '#ehr-server/store/sqlite/checkpointer.ts';
import type { Commit } from '../contenders.ts';

/** Calls `onCommit` after the commit of `operation`. A `durable` one is on the disk by then. */
export type Write = <T>(operation: () => T, durable: boolean, onCommit: (result: T) => void) => void;

type PendingWrite = { operation: () => unknown; durable: boolean; onCommit: (result: never) => void };

const MAX_BATCH = 256;

/** Writes without any handling of failures. `endReads` is called before each transaction. */
export function writerOf(db: Database, commit: Commit, endReads: () => void): Write {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  let flushes = true;
  const flushToDisk = (wanted: boolean) => {
    if (wanted === flushes) return;
    db.pragma(`synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    flushes = wanted;
  };
  const run = (group: readonly PendingWrite[]) => {
    endReads();
    flushToDisk(group.some(({ durable }) => durable));
    begin.run();
    const results = group.map(({ operation }) => operation());
    end.run();
    for (let at = 0; at < group.length; at++) (group[at] as PendingWrite).onCommit(results[at] as never);
  };
  if (commit === 'call') return (operation, durable, onCommit) => run([{ operation, durable, onCommit }]);

  const checkpointer = checkpointerFor(db, endReads);
  let pending: PendingWrite[] = [];
  const flush = () => {
    const group = pending;
    pending = [];
    run(group);
    checkpointer.wrote(group.length);
  };
  const gather = (before: number) => {
    const { length } = pending;
    if (length > before && length < MAX_BATCH && pending.some(({ durable }) => durable))
      setImmediate(gather, length);
    else flush();
  };
  return (operation, durable, onCommit) => {
    if (pending.length === 0) setImmediate(gather, 0);
    pending.push({ operation, durable, onCommit });
  };
}
