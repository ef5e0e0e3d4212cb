/**
 * The command `rerun`: plays only the checks that were red in a report, with what they need, and says what
 * became of each.
 */
import { EXIT, isRed } from '../../check/verdict.ts';
import { type Again, againLine, againSummary, comparedAgain } from '../../report/compare/again.ts';
import type { Report } from '../../report/schema/schema.ts';
import { causeLines, consoleReporter } from '../../report/terminal/console.ts';
import { paintFor, widthOf } from '../../report/terminal/terminal.ts';
import { placesOf } from '../../report/write.ts';
import type { JudgedRun, RoleEntry } from '../../role.ts';
import { breakable, clock, openingOf, stopNotSetUp, toolVersion } from './common.ts';
import { fileFrom, type Reported, reportRun } from './report-run.ts';
import { requireSetUp } from './require-set-up.ts';
import { type PlanOptions, planOf, type RerunPlan } from './rerun-plan.ts';
import { type RepeatOptions, type Round, repeated, requireFitting } from './rerun-repeated.ts';
import { showLater } from './showing.ts';

/** The options of the command line. */
export type RerunOptions = PlanOptions & RepeatOptions;

/**
 * Plays the red checks of a report again, and shows what became of them.
 * @param file the path of the report
 * @returns 0 when nothing is red any more, else 1; with `untilGreen` or `watch` that of the last round
 * @throws Stop when the party is not set up
 * @throws InputError when the report, or the file that it names, cannot be used
 */
export async function rerun(
  file: string,
  options: RerunOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  requireFitting(options);
  const plan = await planOf(file, options, roles);
  const write = (text: string) => void process.stdout.write(`${text}\n`);
  if (!plan) {
    write(`Nothing is red in ${file}.`);
    return EXIT.conformant;
  }
  if (plan.warning !== undefined) write(plan.warning);
  const signal = breakable();
  const play = () => playRound(plan, signal);
  if (options.watch || options.untilGreen)
    return await repeated({ ...options, ...plan, clock, env: process.env, signal, play, write });
  const { text, exitCode } = await play();
  write(text);
  return exitCode;
}

/** Plays once, as the command does. */
async function playRound(plan: RerunPlan, signal: AbortSignal): Promise<Round> {
  const found = await playAgain(plan, { signal, show: showProgress });
  return { ...told(found), exitCode: found.exitCode };
}

/** What a rerun found. `judged` is undefined where nothing was played. */
type Rerun = {
  again: readonly Again[];
  judged: { report: Report; paths: readonly string[] } | undefined;
  exitCode: number;
};

/** What a rerun takes from its surroundings. */
type RerunSurroundings = {
  /** Breaks the run off. */
  signal: AbortSignal;
  /** Shows how far the run comes, until `end` is called. */
  show: (run: JudgedRun) => { end: () => void };
};

/**
 * Plays the checks of the plan once, and compares them.
 * @throws Stop when the party is not set up
 */
async function playAgain(plan: RerunPlan, around: RerunSurroundings): Promise<Rerun> {
  const played = plan.checks.length > 0 ? await play(plan, around) : undefined;
  if (played?.written.problem !== undefined) process.stderr.write(`${played.written.problem}\n`);
  const again = comparedAgain(plan.red, played?.report.verdicts ?? []);
  const red = again.filter(({ now }) => now && isRed(now, plan.settings.demands)).length;
  const judged = played && { ...played, paths: played.written.paths };
  return { again, judged, exitCode: red > 0 ? EXIT.notConformant : EXIT.conformant };
}

/** Plays the checks of the plan, and judges them. */
async function play(plan: RerunPlan, { signal, show }: RerunSurroundings): Promise<Reported> {
  const { role, config, seed, checks, slow, settings } = plan;
  const run = await role.open({ ...openingOf(config, seed, signal), checks, slow }).catch(stopNotSetUp);
  const file = settings.directory === undefined ? undefined : fileFrom(settings.directory, config);
  const meta = (finished: boolean) => ({ ...run.meta({ tool: toolVersion(), finished }), file });
  try {
    await requireSetUp(run);
    signal.throwIfAborted();
    const progress = show(run);
    await run.play(() => meta(false)).finally(progress.end);
    signal.throwIfAborted();
  } catch (error) {
    // After Ctrl-C every wait of the run ends with an error of its own.
    signal.throwIfAborted();
    throw error;
  } finally {
    await run.close();
  }
  return reportRun({ meta: meta(true), entries: run.recorder.entries() }, settings, role);
}

/** Shows on a terminal how far the run has come. A log has the result alone. */
function showProgress({ recorder, total, duration }: JudgedRun): { end: () => void } {
  if (!process.stdout.isTTY) return { end: () => undefined };
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, total });
  if (duration !== undefined) reporter.line(duration);
  const showing = showLater(recorder, reporter.progress);
  return {
    end() {
      showing.end();
      reporter.end();
    },
  };
}

/** A line for each check, the causes of what is still red, and the numbers. */
function told({ again, judged }: Rerun): Omit<Round, 'exitCode'> {
  const screen = process.stdout;
  const options = { paint: paintFor(screen, process.env), width: widthOf(screen) };
  const lines = again.map((each) => againLine(each, options.paint));
  const causes = judged ? causeLines(judged.report, options) : [];
  const text = [...lines, ...causes, ...placesOf(judged?.paths ?? []), '', againSummary(again)];
  return { text: text.join('\n'), brief: lines.join('\n') };
}
