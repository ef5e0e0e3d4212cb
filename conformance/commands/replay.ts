/** `replay`: judges a saved run again, without any server. */
import { readRun } from '../journal/run-file.ts';
import { consoleReporter } from '../report/terminal/console.ts';
import { EXIT } from '../verdict.ts';
import { Stop } from './common.ts';
import { reportRun } from './report-run.ts';

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
  const { report, paths } = reportRun(run, { directory, only, strict, baseline, requirements });
  consoleReporter({ screen: process.stdout, env: process.env }).finish(report, Object.values(paths));
  return report.summary.exitCode;
}
