/** The command `replay`: judges the saved journal of a run (run.json) again, without any server. */
import { dirname, join } from 'node:path';
import { requireDirectory } from '#service/process/files/writing.ts';
import { readRun } from '../../journal/input-file.ts';
import type { Run } from '../../journal/run-file.ts';
import { consoleReporter } from '../../report/terminal/console.ts';
import { entryOf, type RoleEntry } from '../../role.ts';
import { fileFrom, type ReportOptions, reportRun, settingsOf, showReport } from './report-run.ts';

export type ReplayOptions = Omit<ReportOptions, 'directory'> & { report?: string };

/** Returns the exit code. */
export async function replay(
  file: string,
  { report: directory, ...options }: ReplayOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  const run = readRun(file);
  if (directory !== undefined) requireDirectory('--report', directory);
  const role = await entryOf(roles, run.meta.role).load();
  const settings = settingsOf({ directory, ...options }, role);
  const reported = reportRun(movedTo(directory, run, file), settings, role);
  return showReport(consoleReporter({ screen: process.stdout, env: process.env }), reported);
}

/** The run of a file, as it stands in the new directory: it names the file about the party from there. */
function movedTo(directory: string | undefined, run: Run, from: string): Run {
  const { file } = run.meta;
  if (directory === undefined || file === undefined) return run;
  return { ...run, meta: { ...run.meta, file: fileFrom(directory, join(dirname(from), file)) } };
}
