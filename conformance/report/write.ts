/** Writes every form of the report, each file whole or not at all. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Run, writeRun } from '../journal/run-file.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import type { Report } from './schema/schema.ts';

export type WriteOptions = {
  /** Created if it does not exist; reports of an earlier run in it are replaced. */
  directory: string;
  run: Run;
  report: Report;
};

export type Paths = { run: string; json: string; junit: string; html: string };

/**
 * Writes `run.json`, `report.json`, `junit.xml` and `report.html`. The journal comes first: the others can be
 * rebuilt from it. An aborted run (`finished: false`) is written in the same way and says so.
 * @returns the path of each file
 */
export function writeReports({ directory, run, report }: WriteOptions): Paths {
  const paths: Paths = {
    run: join(directory, 'run.json'),
    json: join(directory, 'report.json'),
    junit: join(directory, 'junit.xml'),
    html: join(directory, 'report.html'),
  };
  mkdirSync(directory, { recursive: true });
  writeRun(paths.run, run);
  writeWhole(paths.json, `${JSON.stringify(report, null, 1)}\n`);
  writeWhole(paths.junit, junitOf(report));
  writeWhole(paths.html, htmlOf(run, report));
  return paths;
}

/** Writes atomically: a reader sees the old file or the new one, never half of one. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.partial`, text);
  renameSync(`${file}.partial`, file);
}
