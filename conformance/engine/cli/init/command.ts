/** The command `init` as it is typed: by questions alone, or from a recording, with the doctor afterwards. */
import { EXIT, usualDemands } from '../../check/verdict.ts';
import { InputError } from '../../input-error.ts';
import type { SeenExchange } from '../../learn/exchange.ts';
import { readHarFile } from '../../learn/har.ts';
import type { Role } from '../../role.ts';
import { runInit } from './init.ts';

export type InitCommandOptions = { file: string | undefined; from?: string; doctor: boolean; force: boolean };

/** Returns the exit code: that of the doctor, where it runs. */
export async function initCommand(options: InitCommandOptions, role: Role): Promise<number> {
  const { from } = options;
  if (from !== undefined && !role.init.learn)
    throw new InputError(
      `Nothing can be learned from a recording for --role ${role.id}. Please leave out --from.`,
    );
  return writeAndExamine(from === undefined ? undefined : readHarFile(from), options, role);
}

/**
 * Writes the file, and runs the doctor on what was learned from a recording.
 * @returns the exit code: that of the doctor, where it runs
 */
export async function writeAndExamine(
  seen: readonly SeenExchange[] | undefined,
  { file, doctor, force }: Omit<InitCommandOptions, 'from'>,
  role: Role,
): Promise<number> {
  const written = await runInit({ input: process.stdin, output: process.stdout, role, file, force, seen });
  if (seen === undefined || !doctor) return EXIT.conformant;
  process.stdout.write('\nThe doctor on this file:\n');
  const { judgeRun } = await import('../commands/judge-run.ts');
  const about = { report: '', demands: usualDemands, slow: false, doctorOnly: true, seed: 1 };
  return judgeRun({ ...about, config: written }, role);
}
