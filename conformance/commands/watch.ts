/** `watch`: a person clicks, recording proxies stand between the parties, and the checks judge live. */
import { loadAdapter } from '../adapter/file/load.ts';
import { checks } from '../checks/index.ts';
import { judge } from '../judge.ts';
import { consoleReporter } from '../report/console.ts';
import { reportOf } from '../report/model.ts';
import { writeReports } from '../report/write.ts';
import { type OpenRun, openRun } from '../run.ts';
import { scenarios } from '../scenarios/index.ts';
import { ask, breakable, clock, stopNotSetUp, tell, toolVersion } from './common.ts';

export type WatchOptions = {
  config: string;
  report: string;
  strict: boolean;
  seed: number;
  clientToEhr: number;
  clientToAuth: number;
  forSeconds?: number;
};

/**
 * Watches until Ctrl-C, or for the given time.
 * @returns the exit code
 */
export async function watch(options: WatchOptions): Promise<number> {
  const signal = breakable();
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, watch: true });
  const run = await openWatched(options, signal);
  const { recorder } = run.bed;
  const recorded = (finished: boolean) => ({
    meta: run.meta({ tool: toolVersion(), mode: 'watch' as const, finished }),
    entries: recorder.entries(),
  });
  reporter.line(instructions(run));
  const said = new Map<string, string>();
  recorder.onEntry((entry) => {
    reporter.progress(recorder.mask(entry));
    for (const verdict of judge(recorded(false))) {
      // Shows a verdict when it first occurs and when it changes, but not while nothing was seen.
      if (
        verdict.outcome === 'inconclusive' ||
        verdict.outcome === 'not applicable' ||
        said.get(verdict.check) === verdict.outcome
      )
        continue;
      said.set(verdict.check, verdict.outcome);
      reporter.verdict(verdict);
    }
  });
  await new Promise<void>((resolve) => {
    const cancel =
      options.forSeconds === undefined ? () => undefined : clock.after(options.forSeconds * 1_000, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
  await run.close();
  const ended = recorded(true);
  const report = reportOf(ended, judge(ended), { checks, scenarios, strict: options.strict });
  reporter.finish(report, Object.values(writeReports({ directory: options.report, run: ended, report })));
  return report.summary.exitCode;
}

function instructions({ adapter, bed: { proxies, ehrUrlForServer, ehrEndpoint } }: OpenRun): string {
  return `Watching ${adapter.name}.
  Your client's address of the authorization server: ${proxies.clientToAuth.url}
  Your client's EHR endpoint:                        ${ehrEndpoint}
  Your authorization server's EHR address:           ${ehrUrlForServer}
Click through your own app now. Patients to identify as: Zanzibarina-000 Quokkabergström-000, 1931-07-01, phone 48601777000, and so on.
Ctrl-C ends the session and writes the report.`;
}

async function openWatched(options: WatchOptions, signal: AbortSignal): Promise<OpenRun> {
  try {
    const loaded = await loadAdapter(options.config, process.env, { watched: true });
    const clientPorts = { ehr: options.clientToEhr, auth: options.clientToAuth };
    return await openRun({ loaded, clock, seed: options.seed, env: process.env, signal, tell, ask, clientPorts });
  } catch (error) {
    stopNotSetUp(error);
  }
}
