/** Judges a recorded run, and shows and writes its report: right after the run, or of a saved run.json. */
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { requireDirectory } from '#service/process/files/writing.ts';
import { judge } from '../../check/judge.ts';
import type { Demands } from '../../check/verdict.ts';
import { readRun } from '../../journal/input-file.ts';
import type { Run } from '../../journal/run-file.ts';
import { type KnownFailure, loadKnownFailures } from '../../report/known-failures.ts';
import { type ReportOptions, reportOf } from '../../report/model.ts';
import type { Report } from '../../report/schema/schema.ts';
import { consoleReporter, type Reporter } from '../../report/terminal/console.ts';
import { type Written, writeReports } from '../../report/write.ts';
import { entryOf, type JudgedRole, type RoleEntry } from '../../role.ts';
import { chosenChecks } from './chosen-checks.ts';

type ReportSettings = {
  directory?: string | undefined;
  only?: string | undefined;
  demands: Demands;
  baseline?: readonly KnownFailure[] | undefined;
  /** Problems of the set-up that the doctor found. If there are any, nothing is judged. */
  notSetUp?: readonly { problem: string; remedy: string }[];
};

/** As they are typed: `baseline` is the path of a file. */
type TypedOptions = Omit<ReportSettings, 'baseline' | 'notSetUp'> & { baseline?: string | undefined };

type Reported = { report: Report; written: Written };

export function withBaselineLoaded(typed: TypedOptions, role: JudgedRole): ReportSettings {
  const { baseline, ...options } = typed;
  if (baseline === undefined) return options;
  const checks = role.checks.map(({ id }) => id);
  return { ...options, baseline: loadKnownFailures(baseline, checks) };
}

/** Judges the run, and writes the reports where the settings have a directory. */
export function reportRun(run: Run, settings: ReportSettings, role: JudgedRole): Reported {
  const { directory, only, demands, baseline = [], notSetUp = [] } = settings;
  const chosen = chosenChecks(only, role);
  const verdicts = notSetUp.length > 0 ? [] : judge(run, { checks: chosen, party: role.party });
  const report = reportOf(run, verdicts, {
    checks: role.checks,
    role: role.id,
    scenarios: role.scenarios,
    notJudged: role.notJudged,
    demands,
    only,
    baseline,
    notSetUp,
    playAlone: directory === undefined ? undefined : playAloneFrom(directory, run, role),
  });
  const written = directory === undefined ? { paths: [] } : writeReports({ directory, run, report });
  return { report, written };
}

/** Returns what plays a check alone, as a person types it in the same folder; none for a watched run. */
function playAloneFrom(directory: string, { meta }: Run, role: JudgedRole): ReportOptions['playAlone'] {
  if (meta.mode === 'watch') return undefined;
  // A saved run may not name the file.
  const config = meta.file === undefined ? 'FILE' : relative('.', join(directory, meta.file));
  const words = [role.id, '--config', config, '--seed', String(meta.seed), '--only'];
  return (check) => commandLine('conformance', [...words, check].map(quotedForShell).join(' '));
}

/** A word for a shell. What could mean something to it stands in single quotes. */
const quotedForShell = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export function showReport(reporter: Pick<Reporter, 'finish'>, { report, written }: Reported): number {
  reporter.finish({ report, paths: written.paths });
  if (written.problem !== undefined) process.stderr.write(`${written.problem}\n`);
  return report.summary.exitCode;
}

/** The path as the report names it; undefined on another drive, because a report is shown to others. */
export function fileFrom(directory: string, file: string): string | undefined {
  const path = relative(directory, file);
  return isAbsolute(path) ? undefined : path.replaceAll(sep, '/');
}

type ReplayOptions = Omit<TypedOptions, 'directory'> & { report?: string };

export async function replay(
  file: string,
  { report: directory, ...options }: ReplayOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  const run = readRun(file);
  if (directory !== undefined) requireDirectory('--report', directory);
  const role = await entryOf(roles, run.meta.role).load();
  const settings = withBaselineLoaded({ directory, ...options }, role);
  const reported = reportRun(movedTo(directory, run, file), settings, role);
  return showReport(consoleReporter({ screen: process.stdout, env: process.env }), reported);
}

/** The run of a file, as it stands in the new directory: it names the file about the party from there. */
function movedTo(directory: string | undefined, run: Run, from: string): Run {
  const { file } = run.meta;
  if (directory === undefined || file === undefined) return run;
  return { ...run, meta: { ...run.meta, file: fileFrom(directory, join(dirname(from), file)) } };
}
