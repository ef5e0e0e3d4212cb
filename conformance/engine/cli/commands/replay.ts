/** `replay`: judges a saved run again, without any server. */
import { requireDirectory } from '#service/process/writing.ts';
import { roleOf } from '../../../roles.ts';
import { EXIT } from '../../check/verdict.ts';
import { readRun } from '../../journal/run-file.ts';
import { loadBaseline } from '../../report/baseline/load.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
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
export function replay(
  file: string,
  { only, strict, baseline, report: directory, requirements }: ReplayOptions,
): number {
  let run: ReturnType<typeof readRun>;
  try {
    run = readRun(file);
  } catch (error) {
    throw new Stop((error as Error).message, { exitCode: EXIT.notSetUp, cause: error });
  }
  if (directory !== undefined) requireDirectory('--report', directory);
  const reported = reportRun(run, {
    ...{ directory, only, strict, requirements },
    // A list of known failures may name checks that a frozen set lacks.
    ...(baseline !== undefined && {
      baseline: loadBaseline(
        baseline,
        roleOf(run.meta).checks.map(({ id }) => id),
      ),
    }),
  });
  return showReport(consoleReporter({ screen: process.stdout, env: process.env }), reported);
}
