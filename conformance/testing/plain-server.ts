/** For tests: runs of the plain JavaScript server by its file (examples/plain-js.yaml), which each may vary. */
import { systemClock } from '#protocol/time/clock.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { Diagnosis } from '../engine/role.ts';
import { type LoadedAdapter, loadAdapter } from '../roles/auth-server/adapter/file/load.ts';
import { type DoctorParts, examine } from '../roles/auth-server/doctor/doctor.ts';
import { type OpenRun, openRun, type RunParts } from '../roles/auth-server/run.ts';
import { example, readExample, writeParty } from './cli.ts';

export type PlainFile = {
  server: {
    url: string;
    start?: { command: string[]; cwd?: string; env: Record<string, string>; keeps?: string; ready?: object };
  };
  ports: Record<string, number>;
  otp: Record<string, unknown>;
  steps: Record<string, unknown>;
  ehr: Record<string, unknown>;
};

/** Writes the example's adapter file, changed by `change`, into `directory`. Returns its path. */
export function writePlainFile(directory: string, change: (file: PlainFile) => void): string {
  const file = readExample<PlainFile>('plain-js.yaml');
  change(file);
  return writeParty(directory, file);
}

/**
 * Changes an adapter file: its server writes the number of its process to `pidFile` when it starts, and
 * touches `pidFile.answered` with each answer.
 */
export function writingPid({ server: { start } }: PlainFile, pidFile: string): void {
  const program = new URL(`file://${example('plain-js/server.mjs')}`).href;
  const write = (file: string, text: string) => `writeFileSync(${JSON.stringify(file)}, ${text})`;
  const code = `const { writeFileSync } = require('node:fs'); ${write(pidFile, 'String(process.pid)')};
require('node:diagnostics_channel').subscribe('http.server.response.finish', () => ${write(`${pidFile}.answered`, "''")});
import(${JSON.stringify(program)});`;
  if (start) start.command = [process.execPath, '-e', code];
}

/** Changes an adapter file: codes live so long that their end is waited for after everything else. */
export function withLongCodes({ otp, server: { start } }: PlainFile): void {
  otp.lifetimeSeconds = CODE_SECONDS;
  Object.assign(start?.env ?? {}, { PIN_LIFETIME_SECONDS: String(CODE_SECONDS) });
}

/** Longer than a sign-in and a link take on a slow machine, and short enough for the kit to wait. */
const CODE_SECONDS = 60;

type Examination = Partial<RunParts> & Pick<DoctorParts, 'findElsewhere' | 'waits'>;

/**
 * Opens a run, lets the doctor examine it, and gives the diagnoses and the run to `use`. Then closes the run.
 */
export async function examined<T>(
  loaded: LoadedAdapter,
  use: (diagnoses: readonly Diagnosis[], run: OpenRun) => T | Promise<T>,
  { findElsewhere, waits, ...parts }: Examination = {},
): Promise<T> {
  const run = await openTestRun(loaded, parts);
  try {
    const given = {
      ...(findElsewhere && { findElsewhere }),
      ...(waits && { waits }),
      onDiagnosis: () => undefined,
    };
    return await use(await examine({ ...run, ...given }), run);
  } finally {
    await run.close();
  }
}

/** Returns the doctor's diagnoses of the plain JavaScript server, whose adapter file `change` has changed. */
export async function diagnosesOf(
  change: (file: PlainFile) => void,
  parts?: Examination,
): Promise<readonly Diagnosis[]> {
  const file = writePlainFile(temporaryFolder(), change);
  return examined(await loadAdapter(file, {}), (diagnoses) => diagnoses, parts);
}

/** Creates a change to an adapter file: the server runs at `url` already, and the kit does not start it. */
export const runningAt = (url: string) => (file: PlainFile) => {
  file.server = { url };
  file.ports = {};
};

/**
 * Opens a run by an adapter file. Messages go nowhere, questions stay unanswered. `changes` replaces parts.
 */
export function openTestRun(loaded: RunParts['loaded'], changes: Partial<RunParts> = {}): Promise<OpenRun> {
  return openRun({
    loaded,
    clock: systemClock,
    seed: 1,
    env: {},
    signal: new AbortController().signal,
    tell: () => undefined,
    ask: async () => undefined,
    ...changes,
  });
}
