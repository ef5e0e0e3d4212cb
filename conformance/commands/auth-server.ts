/** `auth-server`: examines the set-up, plays the scenarios, judges, and writes the reports. */

import { loadAdapter } from '../adapter/load.ts';
import { AdapterFileError } from '../adapter/problem.ts';
import { ServerStartError } from '../adapter/server-process.ts';
import { loadBaseline } from '../baseline/load.ts';
import { checks } from '../checks/index.ts';
import { type Diagnosis, examine } from '../doctor/doctor.ts';
import { judge } from '../judge.ts';
import { consoleReporter } from '../report/console.ts';
import { reportOf } from '../report/model.ts';
import { writeReports } from '../report/write.ts';
import { scenarios } from '../scenarios/index.ts';
import { openSession, type Session } from '../session.ts';
import { playAll } from '../stage/play.ts';
import { EXIT } from '../verdict.ts';
import { ask, BrokenOff, breakable, chosenChecks, clock, neededScenarios, Stop, tell, toolVersion } from './common.ts';

export type RunOptions = {
  config: string;
  report: string;
  only?: string;
  seed: number;
  strict: boolean;
  baseline?: string;
  /** Stops after the doctor. */
  doctorOnly: boolean;
};

/** How often a run that goes on is written down, in milliseconds: what a kill leaves behind is at most this old. */
const SAVE_EVERY = 2_000;

/** @returns the exit code */
export async function judgeAuthServer(options: RunOptions): Promise<number> {
  const chosen = chosenChecks(options.only);
  const played = neededScenarios(chosen);
  const baseline =
    options.baseline === undefined
      ? undefined
      : loadBaseline(
          options.baseline,
          checks.map(({ id }) => id),
        );
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, total: played.length });
  const signal = breakable();
  const session = await openTold(options, signal);
  const { recorder } = session.ground;
  let finished = false;
  let notSetUp: { problem: string; remedy: string }[] = [];
  const run = () => ({
    meta: session.meta({ tool: toolVersion(), mode: 'scenarios' as const, finished }),
    entries: recorder.entries(),
  });
  const report = () => {
    const now = run();
    const verdicts = notSetUp.length > 0 ? [] : judge(now, { only: (check) => chosen.includes(check) });
    const made = reportOf(now, verdicts, {
      checks,
      scenarios,
      strict: options.strict,
      only: options.only,
      ...(baseline && { baseline }),
      notSetUp,
    });
    return { made, paths: writeReports({ directory: options.report, run: now, report: made }) };
  };
  try {
    const diagnoses = await examine({
      adapter: session.adapter,
      serverUrl: session.serverUrl,
      ground: session.ground,
      stage: session.stage,
      clock,
      ehrConfiguredIn: session.ehrConfiguredIn,
      otpTrouble: session.otpTrouble,
      onDiagnosis: (diagnosis) => reporter.line(diagnosisLine(diagnosis)),
    });
    notSetUp = diagnoses.flatMap(({ ok, found, remedy }) => (ok ? [] : [{ problem: found, remedy: remedy ?? '' }]));
    if (options.doctorOnly) {
      reporter.line(notSetUp.length === 0 ? 'The set-up is in order: the server can be judged.' : 'Not set up.');
      return notSetUp.length === 0 ? EXIT.conformant : EXIT.notSetUp;
    }
    if (notSetUp.length === 0) {
      recorder.onEntry((entry) => reporter.progress(recorder.mask(entry)));
      const stopSaving = saveNowAndThen(() => void report());
      try {
        await playAll(session.stage, played, recorder);
        finished = true;
      } finally {
        stopSaving();
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenOff) && !signal.aborted) throw error;
    reporter.line('The run was broken off: what was recorded so far is judged, and what is missing is inconclusive.');
  } finally {
    await session.close();
  }
  const { made, paths } = report();
  reporter.finish(made, Object.values(paths));
  return made.summary.exitCode;
}

async function openTold(
  { config, seed }: RunOptions,
  signal: AbortSignal,
): Promise<Session & { ehrConfiguredIn: string | undefined }> {
  try {
    const loaded = await loadAdapter(config, process.env);
    const session = await openSession({ loaded, clock, seed, env: process.env, signal, tell, ask });
    return { ...session, ehrConfiguredIn: loaded.settings.ehr.configuredIn };
  } catch (error) {
    if (
      error instanceof AdapterFileError ||
      error instanceof ServerStartError ||
      (error instanceof Error && error.message.startsWith('Failed to listen'))
    )
      throw new Stop(`Not set up.\n${error.message}`, { exitCode: EXIT.notSetUp, cause: error });
    throw error;
  }
}

function diagnosisLine({ ok, title, found, remedy }: Diagnosis): string {
  return ok ? `  ok   ${title}: ${found}` : `  NOT  ${title}: ${found}\n       ${remedy ?? ''}`;
}

function saveNowAndThen(save: () => void): () => void {
  let cancel: () => void = () => undefined;
  const arm = () => {
    cancel = clock.after(SAVE_EVERY, () => {
      save();
      arm();
    });
  };
  arm();
  return () => cancel();
}
