/** `replay`: judges a saved run again, without any server. */
import { requireDirectory } from '#service/process/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import { readRun } from '../../journal/run-file.ts';
import { loadBaseline } from '../../report/baseline/load.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import { entryOf, type RoleEntry } from '../../role.ts';
import { Stop } from './common.ts';
import { reportRun, showReport } from './report-run.ts';

export type ReplayOptions = {
  only?: string;
  strict: boolean;
  baseline?: string;
  report?: string;
  requirements?: string;
};

/** @returns the exit code of the verdicts */
export async function replay(
  file: string,
  { only, strict, baseline, report: directory, requirements }: ReplayOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  let run: ReturnType<typeof readRun>;
  try {
    run = readRun(file);
  } catch (error) {
    throw new Stop((error as Error).message, { exitCode: EXIT.notSetUp, cause: error });
  }
  if (directory !== undefined) requireDirectory('--report', directory);
  const role = await entryOf(roles, run.meta.role).load();
  const settings = {
    ...{ directory, only, strict, requirements },
    // A list of known failures may name checks that a frozen set lacks.
    ...(baseline !== undefined && {
      baseline: loadBaseline(
        baseline,
        role.checks.map(({ id }) => id),
      ),
    }),
  };
  const reported = reportRun(run, settings, role);
  return showReport(consoleReporter({ screen: process.stdout, env: process.env }), reported);
}
