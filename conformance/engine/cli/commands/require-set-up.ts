/** The doctor as a condition of commands that play some checks, such as `rerun`. */
import { EXIT } from '../../check/verdict.ts';
import { diagnosisLine } from '../../report/terminal/console.ts';
import { harmless } from '../../report/words.ts';
import type { JudgedRun } from '../../role.ts';
import { Stop } from './common.ts';

/**
 * Runs the doctor.
 * @throws Stop when it finds a problem of the set-up: then nothing can be said of any check
 */
export async function requireSetUp(run: JudgedRun): Promise<void> {
  const diagnoses = await run.examine(() => undefined);
  const problems = diagnoses.filter(({ ok }) => !ok);
  if (problems.length > 0)
    throw new Stop(`Not set up.\n${harmless(problems.map(diagnosisLine).join('\n'))}`, {
      exitCode: EXIT.notSetUp,
    });
}
