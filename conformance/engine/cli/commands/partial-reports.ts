/** Writes reports during a run, in a separate process, so that judging does not delay the kit's servers. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Entry } from '../../journal/entry.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import { entryOf, type JudgedRole, type RoleEntry } from '../../role.ts';
import { clock } from './common.ts';
import { type ReportSettings, reportRun } from './report-run.ts';

/** Pause (ms) between two partial reports: a killed run leaves a report that is hardly older. */
const WRITE_INTERVAL_MS = 2_000;

/** Writing may take 1/10 of the time: with a long journal, reports are written less often. */
const MIN_PAUSE_RATIO = 10;

export type PartialReports = {
  /** Adds an entry of the journal, masked. */
  add(entry: Entry): void;
  /** Ends the writer when the run has written its own report. Resolves when the process is gone. */
  end(): Promise<void>;
};

/** The first line for the writer; every further line is an entry. */
type Beginning = { settings: ReportSettings; meta: RunMeta };

const OVER = 'over';

/**
 * Starts the process that writes.
 * @param program the module that this process was started with, which has the command `partial-reports`
 */
export function startPartialReports(program: string, beginning: Beginning): PartialReports {
  // A program that was not built is TypeScript, which this Node may not read by itself.
  const reader = program.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...process.execArgv, ...reader, program, 'partial-reports'], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // Ctrl-C is for the run, which ends the writer after its own end.
    detached: true,
  });
  const gone = new Promise<void>((resolve) =>
    child.once('close', () => resolve()).once('error', () => resolve()),
  );
  // Ignores a writer that is gone.
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

/** The writing process: reads entries from standard input until the run is over or its process is gone. */
export async function writePartialReports(roles: readonly RoleEntry[]): Promise<void> {
  let beginning: Beginning | undefined;
  let role: JudgedRole | undefined;
  let isOver = false;
  let isNew = false;
  const entries: Entry[] = [];
  // The kit's servers and the server under test take precedence.
  setPriority(constants.priority.PRIORITY_LOW);
  const write = () => {
    if (!beginning || !role || !isNew || isOver) return;
    isNew = false;
    const sorted = [...entries].sort((a, b) => a.seq - b.seq);
    reportRun({ meta: { ...beginning.meta, finished: false }, entries: sorted }, beginning.settings, role);
  };
  let cancel: () => void = () => undefined;
  const arm = (afterMs: number) => {
    cancel = clock.after(afterMs, () => {
      const begun = clock.now();
      write();
      arm(Math.max(WRITE_INTERVAL_MS, (clock.now() - begun) * MIN_PAUSE_RATIO));
    });
  };
  arm(WRITE_INTERVAL_MS);
  for await (const line of createInterface({ input: process.stdin })) {
    const value = JSON.parse(line) as Beginning | Entry | typeof OVER;
    if (value === OVER) isOver = true;
    else if ('settings' in value) {
      beginning = value;
      role = await entryOf(roles, value.meta.role).load();
    } else entries.push(value);
    isNew = true;
  }
  cancel();
  write();
}
