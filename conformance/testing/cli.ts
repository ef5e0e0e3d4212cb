/** Runs the command line of the kit in a separate process, as its users do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#protocol/time/clock.ts';
import type { Run } from '../engine/journal/run-file.ts';
import type { Report } from '../engine/report/schema/schema.ts';

export type Ended = { code: number | null; output: string };

export type Running = {
  readonly child: ChildProcess;
  /** Everything that it has written so far, to either stream. */
  output(): string;
  /** Resolves once the output matches. */
  says(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
};

const RUN = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));

/** Path of a file among the examples. */
export const example = (name: string): string => join(EXAMPLES, name);

/** Starts the command line with these arguments. */
export function startCli(...args: string[]): Running {
  const child = spawn(process.execPath, [RUN, 'conformance/main.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '' },
  });
  let output = '';
  const look = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const each of look) each();
    });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, output })));
  return {
    child,
    output: () => output,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(output)) return;
          look.delete(check);
          resolve();
        };
        look.add(check);
        check();
        void ended.then(() => reject(new Error(`It ended and never said ${pattern}:\n${output}`)));
      }),
  };
}

/** Runs the command line to its end. */
export const runCli = (...args: string[]): Promise<Ended> => startCli(...args).ended;

/** Resolves when `holds` returns true. Polls, because it observes another process. */
export function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (holds()) resolve();
      else systemClock.after(50, look);
    };
    look();
  });
}

/** Runs `use` in a new directory, which is removed afterwards. */
export async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function readReport(directory: string): Report {
  return JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report;
}

/** Whether a process of this number exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Whether the partial report of a run that goes on has the end of a scenario. */
export function hasPlayed(directory: string, scenario: string): boolean {
  const file = join(directory, 'run.json');
  if (!existsSync(file)) return false;
  const { entries } = JSON.parse(readFileSync(file, 'utf8')) as Run;
  return entries.some(
    (entry) => entry.kind === 'scenario' && entry.phase === 'end' && entry.scenario === scenario,
  );
}
