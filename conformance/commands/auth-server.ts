/** `auth-server`: examines the set-up, plays the scenarios, judges, and writes the reports. */

import { loadAdapter } from '../adapter/file/load.ts';
import { loadBaseline } from '../baseline/load.ts';
import { checks } from '../checks/index.ts';
import { conduct } from '../conduct.ts';
import { type Diagnosis, examine } from '../doctor/doctor.ts';
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';
import { waitingTime } from '../player/play.ts';
import { consoleReporter } from '../report/console.ts';
import { duration } from '../report/words.ts';
import { LATEST, requirementSet } from '../requirement-sets/sets.ts';
import { type OpenRun, openRun } from '../run.ts';
import { EXIT } from '../verdict.ts';
import {
  ask,
  BrokenOff,
  breakable,
  chosenChecks,
  clock,
  neededScenarios,
  stopNotSetUp,
  tell,
  toolVersion,
} from './common.ts';
import { startPartialReports } from './partial-reports.ts';
import { type ReportSettings, reportRun } from './report-run.ts';

export type RunOptions = {
  config: string;
  report: string;
  only?: string;
  seed: number;
  strict: boolean;
  baseline?: string;
  /** Name of the requirement set; the latest unless given. */
  requirements?: string;
  /** Stops after the doctor. */
  doctorOnly: boolean;
  /** The module that this process was started with. */
  program: string;
};

/** @returns the exit code */
export async function judgeAuthServer(options: RunOptions): Promise<number> {
  const { only, strict, baseline, requirements = LATEST } = options;
  const chosen = chosenChecks(only, requirementSet(requirements));
  const played = neededScenarios(chosen);
  // Reports mistakes in the baseline before anything starts.
  if (baseline !== undefined)
    loadBaseline(
      baseline,
      checks.map(({ id }) => id),
    );
  const settings: ReportSettings = { directory: options.report, only, strict, baseline, requirements };
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, total: played.length });
  const signal = breakable();
  const run = await openOrStop(options, signal);
  const { recorder } = run.bed;
  let finished = false;
  let notSetUp: { problem: string; remedy: string }[] = [];
  const meta = () => run.meta({ tool: toolVersion(), mode: 'scenarios', finished });
  try {
    notSetUp = await examined(run, (diagnosis) => reporter.line(diagnosisLine(diagnosis)));
    if (options.doctorOnly) {
      reporter.line(notSetUp.length === 0 ? 'The set-up is in order: the server can be judged.' : 'Not set up.');
      return notSetUp.length === 0 ? EXIT.conformant : EXIT.notSetUp;
    }
    if (notSetUp.length === 0) {
      const waiting = waitingTime(run.adapter, played);
      if (waiting > 0)
        reporter.line(
          run.adapter.has('advanceClock')
            ? `The run keeps below ${run.adapter.requestsPerSecond} requests a second: it takes about ${duration(waiting * 1_000)}.`
            : `The clock of the server cannot be moved: this run waits for it, and for its limits, ${duration(waiting * 1_000)}.`,
        );
      const partial = startPartialReports(options.program, { settings, meta: meta() });
      for (const entry of recorder.entries()) partial.add(entry);
      const showing = showLater(recorder, (entry) => {
        reporter.progress(entry);
        partial.add(entry);
      });
      try {
        await conduct(run, { scenarios: played, checks: chosen, meta });
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

/** Delay (ms) before an entry is shown. By then the client's values are known as secrets and masked. */
const SHOW_DELAY_MS = 200;

/** Shows entries masked and in order after a delay, and the rest at the end. */
export function showLater(recorder: Recorder, show: (entry: Entry) => void): { end: () => void } {
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

/** Examines the set-up. Returns the problems that the doctor found. */
async function examined(
  run: OpenRun & { ehrConfiguredIn: string | undefined },
  onDiagnosis: (diagnosis: Diagnosis) => void,
): Promise<{ problem: string; remedy: string }[]> {
  const diagnoses = await examine({ ...run, clock, onDiagnosis });
  return diagnoses.flatMap(({ ok, found, remedy }) => (ok ? [] : [{ problem: found, remedy: remedy ?? '' }]));
}

async function openOrStop(
  { config, seed }: RunOptions,
  signal: AbortSignal,
): Promise<OpenRun & { ehrConfiguredIn: string | undefined }> {
  try {
    const loaded = await loadAdapter(config, process.env);
    const run = await openRun({ loaded, clock, seed, env: process.env, signal, tell, ask });
    return { ...run, ehrConfiguredIn: loaded.settings.ehr.configuredIn };
  } catch (error) {
    stopNotSetUp(error);
  }
}

/** One line of the doctor. */
export function diagnosisLine({ ok, title, found, remedy }: Diagnosis): string {
  return ok ? `  ok   ${title}: ${found}` : `  NOT  ${title}: ${found}\n       ${remedy ?? ''}`;
}
