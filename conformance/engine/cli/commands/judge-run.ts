/** Judges a party of any role: examines the set-up, plays, judges, and writes reports. */
import { isOfSystem, refusalOf, requireDirectory } from '#service/process/files/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Recorder } from '../../journal/recorder.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import type { Diagnosis } from '../../party/diagnosis.ts';
import { LATEST, requirementSet } from '../../report/requirement-sets/sets.ts';
import { type ConsoleReporter, consoleReporter } from '../../report/terminal/console.ts';
import type { JudgedRun, Role } from '../../role.ts';
import { BrokenOff, breakable, chosenChecks, clock, openingOf, stopNotSetUp, toolVersion } from './common.ts';
import { startPartialReports } from './partial-reports.ts';
import { type ReportSettings, reportRun, settingsOf, showReport } from './report-run.ts';

export type RunOptions = {
  config: string;
  report: string;
  only?: string;
  seed: number;
  strict: boolean;
  baseline?: string;
  /** Name of the requirement set; the latest unless given. */
  requirements?: string;
  /** Waits in real time where the clock of the party cannot be moved. */
  slow: boolean;
  /** Stops after the doctor. */
  doctorOnly: boolean;
  /** Shows what is wrong and the result, and nothing on the way. */
  quiet?: boolean;
  /** The module that this process was started with. */
  program: string;
};

type Problems = readonly { problem: string; remedy: string }[];

/**
 * Judges a party as the options say. Ctrl-C ends the run, and what was recorded so far is judged.
 * @returns the exit code
 */
export async function judgeRun(options: RunOptions, role: Role): Promise<number> {
  const { only, requirements = LATEST, config, seed, slow, report: directory, strict, baseline } = options;
  // Before anything starts: a file that is lost on the way costs nothing.
  const settings = settingsOf({ directory, only, strict, requirements, baseline }, role);
  const { doctorOnly, quiet = false } = options;
  if (!doctorOnly) requireDirectory('--report', options.report);
  const checks = chosenChecks(only, requirementSet(requirements), role);
  const signal = breakable();
  const run = await role.open({ ...openingOf(config, seed, signal), checks, slow }).catch(stopNotSetUp);
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, total: run.total });
  let stage: 'set-up' | 'playing' | 'finished' = 'set-up';
  let fault: unknown;
  let notSetUp: Problems = [];
  const meta = () => run.meta({ tool: toolVersion(), finished: stage === 'finished' });
  try {
    const diagnoses = await run.examine((diagnosis) => {
      if (!quiet || !diagnosis.ok) reporter.line(diagnosisLine(diagnosis));
    });
    // What a set-up lacks that was not examined to its end, nobody knows.
    signal.throwIfAborted();
    notSetUp = diagnoses.flatMap(({ ok, found, remedy }) =>
      ok ? [] : [{ problem: found, remedy: remedy ?? '' }],
    );
    if (doctorOnly) return sayWhetherSetUp(role, notSetUp, reporter);
    if (notSetUp.length === 0) {
      stage = 'playing';
      await playShown(run, { program: options.program, settings, reporter, quiet, meta });
      stage = 'finished';
    }
  } catch (error) {
    const isAsked = error instanceof BrokenOff || signal.aborted;
    if (doctorOnly || (stage === 'set-up' && !isAsked)) throw isAsked ? signal.reason : error;
    if (!isAsked && isOfSystem(error))
      reporter.line(`The system refused something to the kit: ${refusalOf(error)}.`);
    else if (!isAsked) fault = error;
    reporter.line(
      'The run was broken off: what was recorded so far is judged, and what is missing is inconclusive.',
    );
  } finally {
    await run.close();
  }
  const reported = reportRun(
    { meta: meta(), entries: run.recorder.entries() },
    { ...settings, notSetUp },
    role,
  );
  const exitCode = showReport(reporter, reported);
  if (fault !== undefined) throw fault;
  return exitCode;
}

function sayWhetherSetUp({ party }: Role, problems: Problems, reporter: ConsoleReporter): number {
  const what = party.split(' ').at(-1);
  const isSetUp = problems.length === 0;
  reporter.line(isSetUp ? `The set-up is in order: the ${what} can be judged.` : 'Not set up.');
  return isSetUp ? EXIT.conformant : EXIT.notSetUp;
}

type Showing = {
  program: string;
  settings: ReportSettings;
  reporter: ConsoleReporter;
  quiet: boolean;
  meta: () => RunMeta;
};

/** Plays, shows the progress, and keeps partial reports for the case that this process is killed. */
async function playShown(
  run: JudgedRun,
  { program, settings, reporter, quiet, meta }: Showing,
): Promise<void> {
  if (run.duration !== undefined && !quiet) reporter.line(run.duration);
  const partial = startPartialReports(program, { settings, meta: meta() });
  for (const entry of run.recorder.entries()) partial.add(entry);
  const showing = showLater(run.recorder, (entry) => {
    if (!quiet) reporter.progress(entry);
    partial.add(entry);
  });
  try {
    await run.play(meta);
  } finally {
    showing.end();
    await partial.end();
  }
}

/** Delay (ms) before an entry is shown. By then the client's values are known as secrets and masked. */
const SHOW_DELAY_MS = 200;

/** Shows entries masked and in order after a delay, and the rest at the end. */
function showLater(recorder: Recorder, show: (entry: Entry) => void): { end: () => void } {
  const waiting: Entry[] = [];
  const flush = () => {
    for (const entry of waiting.splice(0)) show(recorder.mask(entry));
  };
  let cancel: () => void = () => undefined;
  const forget = recorder.onEntry((entry) => {
    if (waiting.push(entry) === 1) cancel = clock.after(SHOW_DELAY_MS, flush);
  });
  return {
    end() {
      forget();
      cancel();
      flush();
    },
  };
}

/** One line of the doctor. */
function diagnosisLine({ ok, title, found, remedy }: Diagnosis): string {
  return ok ? `  ok   ${title}: ${found}` : `  NOT  ${title}: ${found}\n       ${remedy ?? ''}`;
}
