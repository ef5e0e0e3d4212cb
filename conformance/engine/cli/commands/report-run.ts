/** Judges the journal of a run and writes its reports, as the options of the command say. */
import { isAbsolute, relative, sep } from 'node:path';
import { requirements } from '#protocol/requirements.ts';
import { judge } from '../../check/judge.ts';
import type { Demands } from '../../check/verdict.ts';
import type { Run } from '../../journal/run-file.ts';
import { type BaselineFile, loadBaseline } from '../../report/baseline/load.ts';
import { withoutSetAside } from '../../report/baseline/set-aside.ts';
import { reportOf } from '../../report/model.ts';
import { checksOf, LATEST, requirementSet } from '../../report/requirement-sets/sets.ts';
import type { Report } from '../../report/schema/schema.ts';
import type { ConsoleReporter } from '../../report/terminal/console.ts';
import { placesOf, type Written, writeReports } from '../../report/write.ts';
import type { JudgedRole } from '../../role.ts';
import { chosenChecks } from './common.ts';

/** What decides which checks are judged, and where the reports go. */
export type ReportSettings = {
  /** Directory of the reports; nothing is written unless given. */
  directory?: string | undefined;
  /** The checks to judge, as `--only` names them; all unless given. */
  only?: string | undefined;
  /** What makes the run fail. */
  demands: Demands;
  /** Name of the requirement set; the latest unless given. */
  requirements?: string | undefined;
  /** The known failures, which do not make the run fail, and the requirements that are set aside. */
  baseline?: BaselineFile | undefined;
  /** Problems of the set-up that the doctor found. If there are any, nothing is judged. */
  notSetUp?: readonly { problem: string; remedy: string }[];
};

/** Options of a command: where its reports go, and what decides the verdicts. */
export type ReportOptions = Pick<ReportSettings, 'directory' | 'only' | 'demands' | 'requirements'> & {
  /** Path of the file of known failures. */
  baseline?: string | undefined;
};

/**
 * Turns options into settings: reads the file of known failures. The file may name any check of the role,
 * also one that the chosen set of requirements lacks.
 */
export function settingsOf({ baseline, ...options }: ReportOptions, { checks }: JudgedRole): ReportSettings {
  const ids = { checks: checks.map(({ id }) => id), requirements };
  return { ...options, baseline: baseline === undefined ? undefined : loadBaseline(baseline, ids) };
}

/**
 * Judges the run and writes the reports. Writes none when the settings have no directory.
 * @throws Stop when a setting names something unknown
 */
export function reportRun(
  run: Run,
  settings: ReportSettings,
  role: JudgedRole,
): { report: Report; written: Written } {
  const { directory, only, demands, baseline, notSetUp = [], requirements = LATEST } = settings;
  const set = requirementSet(requirements, role.id);
  const { failures, setAside = {} } = baseline ?? {};
  const checks = withoutSetAside(checksOf(role.checks, set), setAside);
  const chosen = withoutSetAside(chosenChecks(only, set, role), setAside);
  const verdicts = notSetUp.length > 0 ? [] : judge(run, { checks: chosen, party: role.party });
  const report = reportOf(run, verdicts, {
    checks,
    role: role.id,
    scenarios: role.scenarios,
    notJudged: role.notJudged,
    demands,
    requirementSet: set,
    only,
    ...(failures && { baseline: failures }),
    setAside,
    notSetUp,
  });
  return {
    report,
    written: directory === undefined ? { paths: [] } : writeReports({ directory, run, report }),
  };
}

/**
 * Shows the report on the terminal, and says which of its files could not be written.
 * @returns the exit code of the verdicts
 */
export function showReport(
  reporter: ConsoleReporter,
  { report, written }: { report: Report; written: Written },
): number {
  reporter.finish(report, placesOf(written.paths));
  if (written.problem !== undefined) process.stderr.write(`${written.problem}\n`);
  return report.summary.exitCode;
}

/**
 * The path of the file about the party from the directory of a report, as the report names it. Undefined
 * where there is only an absolute path, on another drive: a report is shown to others.
 */
export function fileFrom(directory: string, file: string): string | undefined {
  const path = relative(directory, file);
  return isAbsolute(path) ? undefined : path.replaceAll(sep, '/');
}
