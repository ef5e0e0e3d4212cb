/** The two ways to commit that are compared: the writes of one event-loop turn, and of those right after it, together, or each call by itself. */
import type { Database } from 'better-sqlite3';
import { endReadTransactions } from '#ehr-server/read-transaction.ts';
import { checkpointerFor } from '#ehr-server/store/checkpointer.ts';

/** `turn`: one transaction for all writes of a turn and, where it flushes to the disk, of those after it as long as each brings more; `call`: one for each. */
export type Commit = 'turn' | 'call';

/** Runs `operation` in a transaction and hands over what it returned once that is committed; on the disk, where it is `durable`. */
export type Write = <T>(operation: () => T, durable: boolean, done: (result: T) => void) => void;

type Pending = { operation: () => unknown; durable: boolean; done: (result: never) => void };

const ENOUGH = 256;

/** By hand and without a thought for failures: what the grouping itself costs. */
export function writerOf(db: Database, commit: Commit): Write {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  let flushes = true;
  const flushToDisk = (wanted: boolean) => {
    if (wanted === flushes) return;
    db.pragma(`synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    flushes = wanted;
  };
  const run = (group: readonly Pending[]) => {
    endReadTransactions();
    flushToDisk(group.some(({ durable }) => durable));
    begin.run();
    const results = group.map(({ operation }) => operation());
    end.run();
    for (let at = 0; at < group.length; at++) (group[at] as Pending).done(results[at] as never);
  };
  if (commit === 'call') return (operation, durable, done) => run([{ operation, durable, done }]);

  const checkpointer = checkpointerFor(db);
  let pending: Pending[] = [];
  const flush = () => {
    const group = pending;
    pending = [];
    run(group);
    checkpointer.wrote(group.length);
  };
  const gather = (before: number) => {
    const { length } = pending;
    if (length > before && length < ENOUGH && pending.some(({ durable }) => durable)) setImmediate(gather, length);
    else flush();
  };
  return (operation, durable, done) => {
    if (pending.length === 0) setImmediate(gather, 0);
    pending.push({ operation, durable, done });
  };
}
