/** `replay`: judges a saved journal again, without any server. */

import { loadBaseline } from '../baseline/load.ts';
import { checks } from '../checks/index.ts';
import { readRun } from '../journal/run-file.ts';
import { judge } from '../judge.ts';
import { consoleReporter } from '../report/console.ts';
import { reportOf } from '../report/model.ts';
import { writeReports } from '../report/write.ts';
import { scenarios } from '../scenarios/index.ts';
import { EXIT } from '../verdict.ts';
import { chosenChecks, Stop } from './common.ts';

export type ReplayOptions = { only?: string; strict: boolean; baseline?: string; report?: string };

/** @returns the exit code of the verdicts */
export function replay(file: string, { only, strict, baseline: known, report: directory }: ReplayOptions): number {
  const chosen = chosenChecks(only);
  const baseline =
    known === undefined
      ? undefined
      : loadBaseline(
          known,
          checks.map(({ id }) => id),
        );
  let run: ReturnType<typeof readRun>;
  try {
    run = readRun(file);
  } catch (error) {
    throw new Stop((error as Error).message, { exitCode: EXIT.notSetUp, cause: error });
  }
  const report = reportOf(run, judge(run, { only: (check) => chosen.includes(check) }), {
    checks,
    scenarios,
    strict,
    only,
    ...(baseline && { baseline }),
  });
  const paths = directory === undefined ? [] : Object.values(writeReports({ directory, run, report }));
  consoleReporter({ screen: process.stdout, env: process.env }).finish(report, paths);
  return report.summary.exitCode;
}
