/** `ehr-server`: examines the set-up, plays the scenarios, judges, and writes the reports. */
import { systemRandom } from '#protocol/time/random.ts';
import { loadBaseline } from '../baseline/load.ts';
import { ehrChecks } from '../ehr-server/checks/index.ts';
import { examineEhr } from '../ehr-server/doctor.ts';
import { type EhrRun, openEhrRun } from '../ehr-server/run.ts';
import { loadEhrFile } from '../ehr-server/settings.ts';
import { consoleReporter } from '../report/console.ts';
import { duration } from '../report/words.ts';
import { roles } from '../roles.ts';
import { EXIT } from '../verdict.ts';
import { diagnosisLine, type RunOptions, showLater } from './auth-server.ts';
import { BrokenOff, breakable, chosenChecks, clock, stopNotSetUp, toolVersion } from './common.ts';
import { startPartialReports } from './partial-reports.ts';
import { type ReportSettings, reportRun } from './report-run.ts';

export type EhrRunOptions = Omit<RunOptions, 'requirements'> & {
  /** Waits in real time where the server's clock cannot be moved. */
  slow: boolean;
};

/** @returns the exit code */
export async function judgeEhrServer(options: EhrRunOptions): Promise<number> {
  const { only, strict, baseline, slow } = options;
  const { checks } = roles['ehr-server'];
  const needed = new Set(chosenChecks(only, undefined, checks).flatMap(({ scenarios }) => scenarios));
  const played = ehrChecks.map(({ scenario }) => scenario).filter(({ id }) => needed.has(id));
  if (baseline !== undefined)
    loadBaseline(
      baseline,
      checks.map(({ id }) => id),
    );
  const settings: ReportSettings = { directory: options.report, only, strict, baseline };
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, total: played.length + 1 });
  const signal = breakable();
  const run = await openOrStop(options, signal);
  const { recorder } = run;
  let finished = false;
  let notSetUp: { problem: string; remedy: string }[] = [];
  const meta = () => run.meta({ tool: toolVersion(), finished });
  try {
    const diagnoses = await examineEhr(run, (diagnosis) => reporter.line(diagnosisLine(diagnosis)));
    notSetUp = diagnoses.flatMap(({ ok, found, remedy }) => (ok ? [] : [{ problem: found, remedy: remedy ?? '' }]));
    if (options.doctorOnly) {
      reporter.line(notSetUp.length === 0 ? 'The set-up is in order: the server can be judged.' : 'Not set up.');
      return notSetUp.length === 0 ? EXIT.conformant : EXIT.notSetUp;
    }
    if (notSetUp.length === 0) {
      const waiting =
        slow && !meta().abilities.canAdvanceClock ? Math.max(...played.map((each) => each.waitsMinutes)) : 0;
      if (waiting > 0)
        reporter.line(
          `The clock of the server cannot be moved: this run waits for it, at least ${duration(waiting * 60_000)}.`,
        );
      const partial = startPartialReports(options.program, { settings, meta: meta() });
      for (const entry of recorder.entries()) partial.add(entry);
      const showing = showLater(recorder, (entry) => {
        reporter.progress(entry);
        partial.add(entry);
      });
      try {
        await run.playAll(played);
        finished = true;
      } finally {
        showing.end();
        await partial.end();
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenOff) && !signal.aborted) throw error;
    reporter.line('The run was broken off: what was recorded so far is judged, and what is missing is inconclusive.');
  } finally {
    await run.close();
  }
  const { report, paths } = reportRun({ meta: meta(), entries: recorder.entries() }, { ...settings, notSetUp });
  reporter.finish(report, Object.values(paths));
  return report.summary.exitCode;
}

async function openOrStop({ config, seed, slow }: EhrRunOptions, signal: AbortSignal): Promise<EhrRun> {
  try {
    return await openEhrRun({
      loaded: loadEhrFile(config, process.env),
      clock,
      seed,
      random: systemRandom,
      env: process.env,
      signal,
      slow,
    });
  } catch (error) {
    stopNotSetUp(error);
  }
}
