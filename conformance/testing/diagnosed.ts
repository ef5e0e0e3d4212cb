/** For tests: what the doctor says of a set-up, examined in this process. */
import { systemClock } from '#protocol/time/clock.ts';
import type { Diagnosis } from '../engine/party/diagnosis.ts';
import { type LoadedAdapter, loadAdapter } from '../roles/auth-server/adapter/file/load.ts';
import { type DoctorParts, examine } from '../roles/auth-server/doctor/doctor.ts';
import type { OpenRun, RunParts } from '../roles/auth-server/run.ts';
import { inDirectory } from './cli.ts';
import { openTestRun } from './open-test-run.ts';
import { type PlainFile, writePlainFile } from './plain-file.ts';

type Examination = Partial<RunParts> & Pick<DoctorParts, 'findPort'>;

/** Opens a run of an adapter, lets the doctor examine it, and uses both before the run is closed. */
export async function examined<T>(
  loaded: LoadedAdapter,
  use: (diagnoses: readonly Diagnosis[], run: OpenRun) => T | Promise<T>,
  { findPort, ...parts }: Examination = {},
): Promise<T> {
  const run = await openTestRun(loaded, parts);
  try {
    const { configuredIn } = loaded.settings.ehr;
    const about = { ehrConfiguredIn: configuredIn, clock: systemClock, onDiagnosis: () => undefined };
    return await use(await examine({ ...run, ...about, ...(findPort && { findPort }) }), run);
  } finally {
    await run.close();
  }
}

/** All that the doctor says of the plain server with its file changed. */
export function diagnosesOf(
  change: (file: PlainFile) => void,
  parts?: Examination,
): Promise<readonly Diagnosis[]> {
  return inDirectory(async (directory) =>
    examined(await loadAdapter(writePlainFile(directory, change), {}), (diagnoses) => diagnoses, parts),
  );
}

/** Makes it the file of a server that the kit does not start. */
export const runningAt = (url: string) => (file: PlainFile) => {
  file.server = { url };
  file.ports = {};
};
