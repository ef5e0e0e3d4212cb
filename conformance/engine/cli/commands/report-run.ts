/** Judges the journal of a run and writes its reports, as the options of the command say. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { judge } from '../../check/judge.ts';
import type { Demands } from '../../check/verdict.ts';
import type { Run } from '../../journal/run-file.ts';
import type { HtmlOptions } from '../../report/html.ts';
import { type KnownFailure, loadKnownFailures } from '../../report/known-failures.ts';
import { reportOf } from '../../report/model.ts';
import type { Report } from '../../report/schema/schema.ts';
import type { Reporter } from '../../report/terminal/reporter.ts';
import { type Written, writeReports } from '../../report/write.ts';
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
  /** The known failures, which do not make the run fail. */
  baseline?: readonly KnownFailure[] | undefined;
  /** Problems of the set-up that the doctor found. If there are any, nothing is judged. */
  notSetUp?: readonly { problem: string; remedy: string }[];
};

/** Options of a command: where its reports go, and what decides the verdicts. */
export type ReportOptions = Omit<ReportSettings, 'baseline' | 'notSetUp'> & {
  /** Path of the file of known failures. */
  baseline?: string | undefined;
};

/** A judged run, and its files. */
export type Reported = { run: Run; report: Report; written: Written };

/** Turns options into settings: reads the file of known failures. */
export function settingsOf({ baseline, ...options }: ReportOptions, role: JudgedRole): ReportSettings {
  return {
    ...options,
    baseline:
      baseline === undefined
        ? undefined
        : loadKnownFailures(
            baseline,
            role.checks.map(({ id }) => id),
          ),
  };
}

/**
 * Judges the run and writes the reports. Writes none when the settings have no directory.
 * @throws Stop when a setting names something unknown
 */
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
  });
  return {
    run,
    report,
    written:
      directory === undefined
        ? { paths: [] }
        : writeReports({ directory, run, report, playAlone: commandIn(directory, run, role) }),
  };
}

/** Returns what plays a check alone, as a person types it in the folder of this run; none for a session. */
function commandIn(directory: string, { meta }: Run, role: JudgedRole): HtmlOptions['playAlone'] {
  if (meta.mode === 'watch') return undefined;
  const config = meta.file === undefined ? undefined : relative('.', join(directory, meta.file));
  return (check) => commandFor(check, { role: role.id, config, seed: meta.seed });
}

/** What a command that plays one check alone is made of. */
type PlayedBy = {
  role: string;
  /** The file about the party; a word in its place where a saved run does not name it. */
  config: string | undefined;
  seed: number;
};

/** The command that plays a check alone, to be typed into a shell. */
function commandFor(check: string, { role, config = 'FILE', seed }: PlayedBy): string {
  const words = [role, '--config', config, '--seed', String(seed), '--only', check];
  return commandLine('conformance', words.map(word).join(' '));
}

/** A word for a shell. What could mean something to it stands in single quotes. */
const word = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Shows the report on standard output, and says which of its files could not be written.
 * @returns the exit code of the verdicts
 */
export function showReport(reporter: Pick<Reporter, 'finish'>, { run, report, written }: Reported): number {
  reporter.finish({ run, report, paths: written.paths });
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
