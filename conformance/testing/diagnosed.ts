/** For tests: lets the doctor examine the set-up of an authorization server, in this process. */
import type { Diagnosis } from '../engine/role.ts';
import { type LoadedAdapter, loadAdapter } from '../roles/auth-server/adapter/file/load.ts';
import { type DoctorParts, examine } from '../roles/auth-server/doctor/doctor.ts';
import type { OpenRun, RunParts } from '../roles/auth-server/run.ts';
import { inDirectory } from './cli.ts';
import { openTestRun } from './open-test-run.ts';
import { type PlainFile, writePlainFile } from './plain-file.ts';

/** Parts of the run or the doctor that differ from the usual ones. */
type Examination = Partial<RunParts> & Pick<DoctorParts, 'findPort' | 'waits'>;

/**
 * Opens a run, lets the doctor examine it, and gives the diagnoses and the run to `use`. Then closes the run.
 */
export async function examined<T>(
  loaded: LoadedAdapter,
  use: (diagnoses: readonly Diagnosis[], run: OpenRun) => T | Promise<T>,
  { findPort, waits, ...parts }: Examination = {},
): Promise<T> {
  const run = await openTestRun(loaded, parts);
  try {
    const given = { ...(findPort && { findPort }), ...(waits && { waits }), onDiagnosis: () => undefined };
    return await use(await examine({ ...run, ...given }), run);
  } finally {
    await run.close();
  }
}

/** Returns the doctor's diagnoses of the plain JavaScript server, whose adapter file `change` has changed. */
export function diagnosesOf(
  change: (file: PlainFile) => void,
  parts?: Examination,
): Promise<readonly Diagnosis[]> {
  return inDirectory(async (directory) =>
    examined(await loadAdapter(writePlainFile(directory, change), {}), (diagnoses) => diagnoses, parts),
  );
}

/** Creates a change to an adapter file: the server runs at `url` already, and the kit does not start it. */
export const runningAt = (url: string) => (file: PlainFile) => {
  file.server = { url };
  file.ports = {};
};
