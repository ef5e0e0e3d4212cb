/** `client`: examines the set-up, plays the scenarios, judges, and writes the reports. */
import { systemRandom } from '#protocol/time/random.ts';
import { loadBaseline } from '../baseline/load.ts';
import { clientChecks } from '../client/checks/index.ts';
import { examineClient } from '../client/doctor.ts';
import { type ClientRun, openClientRun } from '../client/run.ts';
import { loadClientFile } from '../client/settings.ts';
import { consoleReporter } from '../report/console.ts';
import { roles } from '../roles.ts';
import { EXIT } from '../verdict.ts';
import { diagnosisLine, type RunOptions, showLater } from './auth-server.ts';
import { BrokenOff, breakable, chosenChecks, clock, stopNotSetUp, toolVersion } from './common.ts';
import { startPartialReports } from './partial-reports.ts';
import { type ReportSettings, reportRun } from './report-run.ts';

export type ClientOptions = Omit<RunOptions, 'requirements'>;

/** @returns the exit code */
export async function judgeClient(options: ClientOptions): Promise<number> {
  const { only, strict, baseline } = options;
  const { checks } = roles.client;
  const needed = new Set(chosenChecks(only, undefined, checks).flatMap(({ scenarios }) => scenarios));
  const played = clientChecks.map(({ scenario }) => scenario).filter(({ id }) => needed.has(id));
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
    const diagnoses = await examineClient(run, (diagnosis) => reporter.line(diagnosisLine(diagnosis)));
    notSetUp = diagnoses.flatMap(({ ok, found, remedy }) => (ok ? [] : [{ problem: found, remedy: remedy ?? '' }]));
    if (options.doctorOnly) {
      reporter.line(notSetUp.length === 0 ? 'The set-up is in order: the client can be judged.' : 'Not set up.');
      return notSetUp.length === 0 ? EXIT.conformant : EXIT.notSetUp;
    }
    if (notSetUp.length === 0) {
      const partial = startPartialReports(options.program, { settings, meta: meta() });
      for (const entry of recorder.entries()) partial.add(entry);
      const showing = showLater(recorder, (entry) => {
        reporter.progress(entry);
        partial.add(entry);
      });
      try {
        for (const scenario of played) await run.play(scenario);
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

async function openOrStop({ config, seed }: ClientOptions, signal: AbortSignal): Promise<ClientRun> {
  try {
    const loaded = loadClientFile(config, process.env);
    return await openClientRun({ loaded, clock, seed, random: systemRandom, env: process.env, signal });
  } catch (error) {
    stopNotSetUp(error);
  }
}
