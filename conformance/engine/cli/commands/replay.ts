/** The command `replay`: judges the saved journal of a run (run.json) again, without any server. */
import { requireDirectory } from '#service/process/files/writing.ts';
import { readRun } from '../../journal/run-file.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import { entryOf, type RoleEntry } from '../../role.ts';
import { type ReportOptions, reportRun, settingsOf, showReport } from './report-run.ts';

/** `report` is the directory of the new reports; none are written unless given. */
export type ReplayOptions = Omit<ReportOptions, 'directory'> & { report?: string };

/**
 * Judges the run in `file` and shows the report.
 * @returns the exit code of the verdicts
 */
export async function replay(
  file: string,
  { report: directory, ...options }: ReplayOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  const run = readRun(file);
  if (directory !== undefined) requireDirectory('--report', directory);
  const role = await entryOf(roles, run.meta.role).load();
  const reported = reportRun(run, settingsOf({ directory, ...options }, role), role);
  return showReport(consoleReporter({ screen: process.stdout, env: process.env }), reported);
}
