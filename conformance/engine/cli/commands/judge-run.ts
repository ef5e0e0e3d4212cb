/**
 * The main command of the kit: tests a party (authorization server, EHR server or client). It examines the
 * set-up, plays the scenarios, judges the journal, and writes reports. `doctor` ends after the first step.
 */
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { HARNESS, packageVersion } from '#service/process/command-line/program-name.ts';
import { isOfSystem, refusalOf, requireDirectory } from '#service/process/files/writing.ts';
import { type Demands, EXIT, usualDemands } from '../../check/verdict.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Recorder } from '../../journal/recorder.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import { tellRun } from '../../report/ci/github.ts';
import type { Report } from '../../report/schema/schema.ts';
import { consoleReporter, type Problems, type Reporter } from '../../report/terminal/console.ts';
import { isShown } from '../../report/terminal/progress.ts';
import type { JudgedRun, Role } from '../../role.ts';
import { chosenChecks, leftOutBy } from './chosen-checks.ts';
import { ask, BrokenOff, breakable, stopNotSetUp, tell } from './process.ts';
import { fileFrom, reportRun, showReport, withBaselineLoaded } from './report-run.ts';

type RunOptions = {
  baseline?: string | undefined;
  config: string;
  report?: string | undefined;
  only?: string | undefined;
  seed: number;
  demands: Demands;
  /** True: wait in real time where the clock of the party under test cannot be moved. */
  slow: boolean;
  doctorOnly: boolean;
  quiet?: boolean;
};

type RunSurroundings = {
  signal: AbortSignal;
  /** Creates what shows the run. `total` is the number of scenarios to be played. */
  reporter: (total: number) => Reporter;
  onReport?: (report: Report) => void;
};

/** Judges a party. Ctrl-C ends the run, and what was recorded so far is judged. Returns the exit code. */
export function judgeRun(options: RunOptions & { report: string }, role: Role): Promise<number> {
  const { config, report: directory } = options;
  return judgeIn(options, role, {
    signal: breakable(),
    reporter: (total) => consoleReporter({ screen: process.stdout, env: process.env, total }),
    onReport: (report) => tellRun({ report, config, directory }),
  });
}

/** Runs the doctor alone. Returns the exit code. */
export function runDoctor(options: Pick<RunOptions, 'config' | 'seed'>, role: Role): Promise<number> {
  return judgeRun({ ...options, report: '', demands: usualDemands, slow: false, doctorOnly: true }, role);
}

/** When the signal aborts, what was recorded so far is judged. Returns the exit code. */
export async function judgeIn(
  options: RunOptions,
  role: Role,
  { signal, reporter: createReporter, onReport }: RunSurroundings,
): Promise<number> {
  const {
    only,
    config,
    seed,
    slow,
    report: directory,
    demands,
    baseline,
    doctorOnly,
    quiet = false,
  } = options;
  // Reads the files before a server starts: a missing file is reported at once.
  const settings = withBaselineLoaded({ directory, only, demands, baseline }, role);
  if (directory !== undefined && !doctorOnly) requireDirectory('--report', directory);
  const checks = chosenChecks(only, role);
  const ofProcess = { clock: systemClock, random: systemRandom, env: process.env, tell, ask };
  const run = await role.open({ config, seed, signal, checks, slow, ...ofProcess }).catch(stopNotSetUp);
  const reporter = createReporter(run.total);
  const leftOut = leftOutBy(only, role);
  if (leftOut !== undefined && !doctorOnly) reporter.line(leftOut);
  const file = directory === undefined ? undefined : fileFrom(directory, config);
  const tool = `${HARNESS} ${packageVersion()}`;
  const metaOf = (finished: boolean) => ({ ...run.meta({ tool, finished }), file });
  const playing = { signal, reporter, doctorOnly, quiet, meta: () => metaOf(false) };
  const { notSetUp, finished, fault } = await examineAndPlay(run, playing).finally(() => run.close());
  if (doctorOnly) return sayWhetherSetUp(role, notSetUp, reporter);
  const entries = run.recorder.entries();
  const reported = reportRun({ meta: metaOf(finished), entries }, { ...settings, notSetUp }, role);
  const exitCode = showReport(reporter, reported);
  onReport?.(reported.report);
  if (fault !== undefined) throw fault;
  return exitCode;
}

type Playing = {
  signal: AbortSignal;
  reporter: Reporter;
  doctorOnly: boolean;
  quiet: boolean;
  meta: () => RunMeta;
};

/** What came of a run. `fault`: an error of the kit itself, which broke it off. */
type Played = { notSetUp: Problems; finished: boolean; fault?: unknown };

async function examineAndPlay(run: JudgedRun, playing: Playing): Promise<Played> {
  const { signal, reporter, doctorOnly, quiet } = playing;
  let isExamined = false;
  try {
    const diagnoses = await run.examine((diagnosis) => {
      if (!quiet || !diagnosis.ok) reporter.diagnosis(diagnosis);
    });
    // After Ctrl-C the examination is incomplete, so it says nothing about the set-up.
    signal.throwIfAborted();
    isExamined = true;
    const wrong = diagnoses.filter(({ ok }) => !ok);
    const notSetUp = wrong.map(({ found, remedy = '' }) => ({ problem: found, remedy }));
    if (doctorOnly || notSetUp.length > 0) return { notSetUp, finished: false };
    await playShown(run, playing);
    return { notSetUp, finished: true };
  } catch (error) {
    const isAsked = error instanceof BrokenOff || signal.aborted;
    // Before the first scenario there is nothing to judge, so the error goes on to the command line.
    if (doctorOnly || (!isExamined && !isAsked)) throw isAsked ? signal.reason : error;
    const isRefusal = !isAsked && isOfSystem(error);
    if (isRefusal) reporter.line(`The system refused something to the kit: ${refusalOf(error)}.`);
    reporter.line(
      'The run was broken off: what was recorded so far is judged, and what is missing is inconclusive.',
    );
    return { notSetUp: [], finished: false, fault: isAsked || isRefusal ? undefined : error };
  }
}

function sayWhetherSetUp({ party }: Role, problems: Problems, reporter: Reporter): number {
  reporter.setUp(party.split(' ').at(-1) ?? party, problems);
  return problems.length === 0 ? EXIT.conformant : EXIT.notSetUp;
}

async function playShown(run: JudgedRun, { reporter, quiet, meta }: Playing): Promise<void> {
  if (run.duration !== undefined && !quiet) reporter.line(run.duration);
  const showing = showLater(run.recorder, (entry) => {
    if (!quiet) reporter.progress(entry);
  });
  try {
    await run.play(meta);
  } finally {
    showing.end();
  }
}

/** An entry is shown so late (ms), because a later message may tell the kit what it must mask in it. */
const SHOW_DELAY_MS = 200;

/** Calls `show` with each new entry of the progress, masked and in order, after the delay. */
function showLater(recorder: Recorder, show: (entry: Entry) => void): { end: () => void } {
  const waiting: Entry[] = [];
  const flush = () => {
    for (const entry of waiting.splice(0)) show(recorder.mask(entry));
  };
  let cancel: () => void = () => undefined;
  const forget = recorder.onEntry((entry) => {
    if (isShown(entry) && waiting.push(entry) === 1) cancel = systemClock.after(SHOW_DELAY_MS, flush);
  });
  return {
    end() {
      forget();
      cancel();
      flush();
    },
  };
}
