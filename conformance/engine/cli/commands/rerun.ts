/**
 * The command `rerun`: plays only the checks that were red in a report, with what they need, and says what
 * became of each.
 */
import { EXIT, isRed } from '../../check/verdict.ts';
import { type Again, againLine, againSummary, comparedAgain } from '../../report/compare/again.ts';
import type { Report } from '../../report/schema/schema.ts';
import { causeLines, consoleReporter } from '../../report/terminal/console.ts';
import { paintFor, widthOf } from '../../report/terminal/terminal.ts';
import { harmless } from '../../report/words.ts';
import { placesOf, type Written } from '../../report/write.ts';
import type { JudgedRun, RoleEntry } from '../../role.ts';
import { breakable, openingOf, Stop, stopNotSetUp, toolVersion } from './common.ts';
import { fileFrom, reportRun } from './report-run.ts';
import { type PlanOptions, planOf, type RerunPlan } from './rerun-plan.ts';
import { diagnosisLine, showLater } from './showing.ts';

/** The options of the command line. */
export type RerunOptions = PlanOptions;

/**
 * Plays the red checks of a report again, and shows what became of them.
 * @param file the path of the report
 * @returns 0 when nothing is red any more, else 1
 * @throws Stop when the party is not set up
 * @throws InputError when the report, or the file that it names, cannot be used
 */
export async function rerun(
  file: string,
  options: RerunOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  const plan = await planOf(file, options, roles);
  if (plan) return await playRound(plan, breakable());
  process.stdout.write(`Nothing is red in ${file}.\n`);
  return EXIT.conformant;
}

/**
 * Plays once and shows the result.
 * @returns 0 when nothing is red any more, else 1
 * @throws Stop when the party is not set up
 */
async function playRound(plan: RerunPlan, signal: AbortSignal): Promise<number> {
  const played = plan.checks.length > 0 ? await play(plan, signal) : undefined;
  const again = comparedAgain(plan.red, played?.report.verdicts ?? []);
  show(again, played);
  return again.some(({ now }) => now && isRed(now, plan.settings.demands))
    ? EXIT.notConformant
    : EXIT.conformant;
}

type JudgedPart = { report: Report; written: Written };

/** Plays the checks of the plan, and judges them. */
async function play(plan: RerunPlan, signal: AbortSignal): Promise<JudgedPart> {
  const { role, config, seed, checks, slow, settings } = plan;
  const run = await role.open({ ...openingOf(config, seed, signal), checks, slow }).catch(stopNotSetUp);
  const file = settings.directory === undefined ? undefined : fileFrom(settings.directory, config);
  const meta = (finished: boolean) => ({ ...run.meta({ tool: toolVersion(), finished }), file });
  try {
    await examine(run);
    signal.throwIfAborted();
    const progress = showProgress(run);
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

/** @throws Stop when the doctor finds a problem of the set-up: then nothing can be said of any check */
async function examine(run: JudgedRun): Promise<void> {
  const diagnoses = await run.examine(() => undefined);
  const problems = diagnoses.filter(({ ok }) => !ok);
  if (problems.length > 0)
    throw new Stop(`Not set up.\n${harmless(problems.map(diagnosisLine).join('\n'))}`, {
      exitCode: EXIT.notSetUp,
    });
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

/** Shows a line for each check, the causes of what is still red, and the numbers. */
function show(again: readonly Again[], played: JudgedPart | undefined): void {
  const screen = process.stdout;
  const options = { paint: paintFor(screen, process.env), width: widthOf(screen) };
  const lines = again.map((each) => againLine(each, options.paint));
  if (played) lines.push(...causeLines(played.report, options), ...placesOf(played.written.paths));
  screen.write(`${[...lines, '', againSummary(again)].join('\n')}\n`);
  if (played?.written.problem !== undefined) process.stderr.write(`${played.written.problem}\n`);
}
