/** Judges the journal of a run and writes its reports, as the options of the command say. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { requirements } from '#protocol/requirements.ts';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { judge } from '../../check/judge.ts';
import type { Demands } from '../../check/verdict.ts';
import type { Run } from '../../journal/run-file.ts';
import { fixedIn } from '../../report/baseline/apply.ts';
import { type BaselineFile, type BaselineIds, loadBaseline } from '../../report/baseline/load.ts';
import { withoutSetAside } from '../../report/baseline/set-aside.ts';
import type { HtmlOptions } from '../../report/html.ts';
import { reportOf } from '../../report/model.ts';
import type { Report } from '../../report/schema/schema.ts';
import type { Reporter } from '../../report/terminal/reporter.ts';
import { harmless } from '../../report/words.ts';
import { type Written, writeReports } from '../../report/write.ts';
import type { JudgedRole } from '../../role.ts';
import type { BaselineOptions } from '../baseline/options.ts';
import { type BaselineUpdate, planUpdate } from '../baseline/update.ts';
import { chosenChecks, clock } from './common.ts';

/** What decides which checks are judged, and where the reports go. */
export type ReportSettings = {
  /** Directory of the reports; nothing is written unless given. */
  directory?: string | undefined;
  /** The checks to judge, as `--only` names them; all unless given. */
  only?: string | undefined;
  /** What makes the run fail. */
  demands: Demands;
  /** The known failures, which do not make the run fail, and the requirements that are set aside. */
  baseline?: BaselineFile | undefined;
  /** Whether known failures that are fixed are taken off the list, and so do not make the run fail. */
  baselinePrune?: boolean | undefined;
  /** Problems of the set-up that the doctor found. If there are any, nothing is judged. */
  notSetUp?: readonly { problem: string; remedy: string }[];
};

/** Options of a command: where its reports go, and what decides the verdicts. */
export type ReportOptions = Omit<ReportSettings, 'baseline' | 'notSetUp'> & {
  /** Path of the file of known failures. */
  baseline?: string | undefined;
};

/** A judged run, its files, and the checks that are taken off the list of known failures. */
export type Reported = { run: Run; report: Report; written: Written; fixed: readonly string[] };

/** Turns options into settings: reads the file of known failures. */
export function settingsOf({ baseline, ...options }: ReportOptions, role: JudgedRole): ReportSettings {
  return {
    ...options,
    baseline: baseline === undefined ? undefined : loadBaseline(baseline, baselineIds(role)),
  };
}

/**
 * What a file of known failures may name: any check of the role, also one that the chosen set of requirements
 * lacks, and any requirement.
 */
const baselineIds = ({ checks }: JudgedRole): BaselineIds => ({
  checks: checks.map(({ id }) => id),
  requirements,
});

/**
 * Checks the options about known failures before the run.
 * @returns what brings the files up to date after it
 * @throws Error when an option is wrong
 */
export const updateOf = (options: BaselineOptions, role: JudgedRole): BaselineUpdate =>
  planUpdate(options, {
    ids: baselineIds(role),
    today: new Date(clock.now()).toISOString().slice(0, 10),
    input: process.stdin,
    output: process.stderr,
    say: (sentence) => void process.stdout.write(`${harmless(sentence)}\n`),
    sayProblem: (sentence) => void process.stderr.write(`${harmless(sentence)}\n`),
  });

/**
 * Judges the run and writes the reports. Writes none when the settings have no directory.
 * @throws Stop when a setting names something unknown
 */
export function reportRun(run: Run, settings: ReportSettings, role: JudgedRole): Reported {
  const { directory, only, demands, baseline, notSetUp = [] } = settings;
  const { failures = [], setAside = {} } = baseline ?? {};
  const checks = withoutSetAside(role.checks, setAside);
  const chosen = withoutSetAside(chosenChecks(only, role), setAside);
  const verdicts = notSetUp.length > 0 ? [] : judge(run, { checks: chosen, party: role.party });
  // What a run that was broken off did not come to may still fail.
  const fixed = settings.baselinePrune && run.meta.finished ? fixedIn(verdicts, failures) : [];
  const report = reportOf(run, verdicts, {
    checks,
    role: role.id,
    scenarios: role.scenarios,
    notJudged: role.notJudged,
    demands,
    only,
    baseline: failures.filter((entry) => !fixed.includes(entry)),
    setAside,
    notSetUp,
  });
  return {
    run,
    report,
    written:
      directory === undefined
        ? { paths: [] }
        : writeReports({ directory, run, report, playAlone: commandIn(directory, run, role) }),
    fixed: fixed.map(({ check }) => check),
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
export function showReport(
  reporter: Pick<Reporter, 'finish'>,
  { run, report, written }: Omit<Reported, 'fixed'>,
): number {
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
