/** Judges a run and writes its reports, as the settings of the command say. */
import { loadBaseline } from '../baseline/load.ts';
import type { Check } from '../checks/check.ts';
import { checks as allChecks } from '../checks/index.ts';
import type { Run } from '../journal/run-file.ts';
import { judge } from '../judge.ts';
import { reportOf } from '../report/model.ts';
import type { Report } from '../report/schema.ts';
import { type Paths, writeReports } from '../report/write.ts';
import { checksOf, LATEST, requirementSet } from '../requirement-sets/sets.ts';
import { scenarios } from '../scenarios/index.ts';
import { chosenChecks } from './common.ts';

export type ReportSettings = {
  /** Where the reports go; nothing is written unless given. */
  directory?: string | undefined;
  only?: string | undefined;
  strict: boolean;
  /** Name of the requirement set; the latest unless given. */
  requirements?: string | undefined;
  /** File of the known failures. */
  baseline?: string | undefined;
  /** What the doctor found missing: then nothing is judged. */
  notSetUp?: readonly { problem: string; remedy: string }[];
};

/**
 * Judges and writes.
 * @throws Stop or BaselineError when a setting names what there is not
 */
export function reportRun(
  run: Run,
  settings: ReportSettings,
  all: readonly Check[] = allChecks,
): { report: Report; paths: Partial<Paths> } {
  const { directory, only, strict, baseline, notSetUp = [], requirements = LATEST } = settings;
  const set = requirementSet(requirements);
  const checks = checksOf(all, set);
  const chosen = chosenChecks(only, set, all);
  const verdicts = notSetUp.length > 0 ? [] : judge(run, { checks: chosen });
  const report = reportOf(run, verdicts, {
    checks,
    scenarios,
    strict,
    requirementSet: set,
    only,
    ...(baseline !== undefined && {
      baseline: loadBaseline(
        baseline,
        // A list of known failures may name what a frozen set does not have.
        all.map(({ id }) => id),
      ),
    }),
    notSetUp,
  });
  return { report, paths: directory === undefined ? {} : writeReports({ directory, run, report }) };
}
