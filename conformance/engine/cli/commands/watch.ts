/**
 * The command `watch`: a person clicks through their own app, while recording proxies forward the messages
 * between the parties. The checks judge after each message, and a report is written at the end.
 */

import { requireDirectory } from '#service/process/files/writing.ts';
import { judge } from '../../check/judge.ts';
import type { Demands } from '../../check/verdict.ts';
import { reportOf } from '../../report/model.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import { writeReports } from '../../report/write.ts';
import type { Role } from '../../role.ts';
import type { WatchPorts } from '../watched.ts';
import { breakable, clock, openingOf, stopNotSetUp, toolVersion } from './common.ts';
import { showReport } from './report-run.ts';

/** The options of the command line. */
export type WatchOptions = WatchPorts & {
  /** The file about the party under test. */
  config: string;
  /** Directory of the reports. */
  report: string;
  /** What makes the session fail. */
  demands: Demands;
  seed: number;
  /** When the session ends by itself; only by Ctrl-C unless given. */
  forSeconds?: number;
};

/**
 * Watches until Ctrl-C, or for the given time.
 * @returns the exit code
 */
export async function watch(options: WatchOptions, role: Role): Promise<number> {
  requireDirectory('--report', options.report);
  const signal = breakable();
  const reporter = consoleReporter({ screen: process.stdout, env: process.env, watch: true });
  const opening = { ...openingOf(options.config, options.seed, signal), ports: options };
  const session = await role.watch(opening).catch(stopNotSetUp);
  const { recorder } = session;
  const recorded = (finished: boolean) => ({
    meta: session.meta({ tool: toolVersion(), mode: 'watch' as const, finished }),
    entries: recorder.entries(),
  });
  reporter.line(session.instructions);
  /** The outcome that was last shown for each check, by id. */
  const said = new Map<string, string>();
  recorder.onEntry((entry) => {
    reporter.progress(recorder.mask(entry));
    for (const verdict of judge(recorded(false), role)) {
      // Shows a verdict when it is new or has changed. Most checks have seen nothing yet: they are silent.
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
  const report = reportOf(ended, judge(ended, role), { ...role, role: role.id, demands: options.demands });
  return showReport(reporter, {
    run: ended,
    report,
    written: writeReports({ directory: options.report, run: ended, report }),
  });
}
