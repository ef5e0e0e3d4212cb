/**
 * Writes reports while a run of the kit is under way, so that a killed run leaves a report. A second process
 * judges and writes, so that this does not delay the servers that the kit itself plays.
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Entry } from '../../journal/entry.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import { entryOf, type JudgedRole, type RoleEntry } from '../../role.ts';
import { clock } from './common.ts';
import { type ReportSettings, reportRun } from './report-run.ts';

/** Least pause (ms) between two partial reports. The report of a killed run may be so much older. */
const WRITE_INTERVAL_MS = 2_000;

/** A pause is at least ten times as long as the writing before it. Long journals are written less often. */
const MIN_PAUSE_RATIO = 10;

/** The connection of a run to its second process. */
export type PartialReports = {
  /** Adds an entry of the journal, masked. */
  add(entry: Entry): void;
  /** Ends the second process without a further report. Call it before the run writes its final report. */
  end(): Promise<void>;
};

/** The first line that the second process reads. Every further line is an entry, or {@link OVER}. */
type Beginning = { settings: ReportSettings; meta: RunMeta };

/** The line that says that the run is over, and that nothing more is to be written. */
const OVER = 'over';

/**
 * Starts the second process.
 * @param program the module that this process was started with, which has the command `partial-reports`
 */
export function startPartialReports(program: string, beginning: Beginning): PartialReports {
  // In a clone that was not built, the program is TypeScript, which Node may not read without tsx.
  const reader = program.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...process.execArgv, ...reader, program, 'partial-reports'], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // Ctrl-C would reach both processes. Only the run shall get it; the run ends this process later.
    detached: true,
  });
  const gone = new Promise<void>((resolve) =>
    child.once('close', () => resolve()).once('error', () => resolve()),
  );
  // When the second process has died, the run goes on without partial reports.
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

/**
 * The second process: reads entries from standard input, and writes a report from time to time. When its
 * input ends without {@link OVER}, the run was killed, and it writes one last report.
 */
export async function writePartialReports(roles: readonly RoleEntry[]): Promise<void> {
  let beginning: Beginning | undefined;
  let role: JudgedRole | undefined;
  let isOver = false;
  let isNew = false;
  const entries: Entry[] = [];
  // Judging must not slow down the servers of the kit and the server under test.
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
