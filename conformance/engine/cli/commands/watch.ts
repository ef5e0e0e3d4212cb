/** `watch`: a person clicks, recording proxies stand between the parties, and the checks judge live. */

import { systemRandom } from '#protocol/time/random.ts';
import { requireDirectory } from '#service/process/writing.ts';
import { loadAdapter } from '../../../roles/auth-server/adapter/file/load.ts';
import { type OpenRun, openRun } from '../../../roles/auth-server/run.ts';
import { loadClientFile } from '../../../roles/client/settings.ts';
import { openWatchedClient } from '../../../roles/client/watched.ts';
import { loadEhrFile } from '../../../roles/ehr-server/settings.ts';
import { openWatchedEhr } from '../../../roles/ehr-server/watched.ts';
import { roles } from '../../../roles.ts';
import { judge } from '../../check/judge.ts';
import type { Role } from '../../journal/run-file.ts';
import { reportOf } from '../../report/model.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import { writeReports } from '../../report/write.ts';
import type { Watched, WatchPorts } from '../watched.ts';
import { ask, breakable, clock, stopNotSetUp, tell, toolVersion } from './common.ts';
import { showReport } from './report-run.ts';

export type WatchOptions = WatchPorts & {
  /** The party that is judged. */
  role: Role;
  config: string;
  report: string;
  strict: boolean;
  seed: number;
  forSeconds?: number;
};

/**
 * Watches until Ctrl-C, or for the given time.
 * @returns the exit code
 */
export async function watch(options: WatchOptions): Promise<number> {
  requireDirectory('--report', options.report);
  const signal = breakable();
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, watch: true });
  const session = await openers[options.role](options, signal).catch(stopNotSetUp);
  const { recorder } = session;
  const recorded = (finished: boolean) => ({
    meta: session.meta({ tool: toolVersion(), mode: 'watch' as const, finished }),
    entries: recorder.entries(),
  });
  reporter.line(session.instructions);
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
  await session.close();
  const ended = recorded(true);
  const report = reportOf(ended, judge(ended), { ...roles[options.role], strict: options.strict });
  return showReport(reporter, { report, written: writeReports({ directory: options.report, run: ended, report }) });
}

type Open = (options: WatchOptions, signal: AbortSignal) => Promise<Watched>;

const openers: Readonly<Record<Role, Open>> = {
  'auth-server': openWatchedAuthServer,
  'ehr-server': ({ config, seed, ...ports }, signal) =>
    openWatchedEhr({ loaded: loadEhrFile(config, process.env), clock, seed, env: process.env, signal, ports }),
  client: ({ config, seed, ...ports }, signal) =>
    openWatchedClient({
      ...{ loaded: loadClientFile(config, process.env), clock, seed, signal, ports, tell },
      random: systemRandom,
    }),
};

async function openWatchedAuthServer(
  { config, seed, clientToEhr, clientToAuth }: WatchOptions,
  signal: AbortSignal,
): Promise<Watched> {
  const loaded = await loadAdapter(config, process.env, { watched: true });
  const clientPorts = { ehr: clientToEhr, auth: clientToAuth };
  const run = await openRun({ loaded, clock, seed, env: process.env, signal, tell, ask, clientPorts });
  return { recorder: run.bed.recorder, instructions: instructionsOf(run), meta: run.meta, close: run.close };
}

function instructionsOf({ adapter, bed: { proxies, ehrUrlForServer, ehrEndpoint } }: OpenRun): string {
  return `Watching ${adapter.name}.
  Your client's address of the authorization server: ${proxies.clientToAuth.url}
  Your client's EHR endpoint:                        ${ehrEndpoint}
  Your authorization server's EHR address:           ${ehrUrlForServer}
Click through your own app now. Patients to identify as: Zanzibarina-000 Quokkabergström-000, 1931-07-01, phone 48601777000, and so on.
Ctrl-C ends the session and writes the report.`;
}
