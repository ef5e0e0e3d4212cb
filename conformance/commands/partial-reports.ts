/** Reports of a run that goes on, written by a process of their own: judging and writing must not keep the kit's servers from answering. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Entry } from '../journal/entry.ts';
import type { RunMeta } from '../journal/run-file.ts';
import { clock } from './common.ts';
import { type ReportSettings, reportRun } from './report-run.ts';

/** A run that goes on is written down so often, in milliseconds: what a kill leaves behind is hardly older. */
const WRITE_INTERVAL_MS = 2_000;

/** Writing takes at most one part in so many of the time: a long journal is written less often. */
const TIME_SHARE = 10;

export type PartialReports = {
  /** An entry of the journal, masked. */
  add(entry: Entry): void;
  /** The run is over and written by its own process. Resolves when the writer is gone. */
  end(): Promise<void>;
};

/** The first line that the writer is sent; each further one is an entry. */
type Beginning = { settings: ReportSettings; meta: RunMeta };

const OVER = 'over';

/**
 * Starts the process that writes.
 * @param program the module that this process was started with, which knows the command `partial-reports`
 */
export function startPartialReports(program: string, beginning: Beginning): PartialReports {
  // A program that was not built is TypeScript, which this Node may not read by itself.
  const reader = program.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...process.execArgv, ...reader, program, 'partial-reports'], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // A Ctrl-C is for the run, which ends the writer when it has ended itself.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  // A writer that is gone has nothing more to be told.
  child.stdin.on('error', () => undefined);
  const send = (value: unknown) => void child.stdin.write(`${JSON.stringify(value)}\n`);
  send(beginning);
  return {
    add: send,
    async end() {
      send(OVER);
      child.stdin.end();
      await gone;
    },
  };
}

/** The process that writes: reads entries from standard input until the run is over, or its process is gone. */
export async function writePartialReports(): Promise<void> {
  let beginning: Beginning | undefined;
  let isOver = false;
  let isNew = false;
  const entries: Entry[] = [];
  // The kit's servers and the server under test come first.
  setPriority(constants.priority.PRIORITY_LOW);
  const write = () => {
    if (!beginning || !isNew || isOver) return;
    isNew = false;
    const sorted = [...entries].sort((a, b) => a.seq - b.seq);
    reportRun({ meta: { ...beginning.meta, finished: false }, entries: sorted }, beginning.settings);
  };
  let cancel: () => void = () => undefined;
  const arm = (afterMs: number) => {
    cancel = clock.after(afterMs, () => {
      const begun = clock.now();
      write();
      arm(Math.max(WRITE_INTERVAL_MS, (clock.now() - begun) * TIME_SHARE));
    });
  };
  arm(WRITE_INTERVAL_MS);
  for await (const line of createInterface({ input: process.stdin })) {
    const value = JSON.parse(line) as Beginning | Entry | typeof OVER;
    if (value === OVER) isOver = true;
    else if ('settings' in value) beginning = value;
    else entries.push(value);
    isNew = true;
  }
  cancel();
  write();
}
