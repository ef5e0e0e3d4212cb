/** Writes every form of the report, each file whole or not at all, and through no link. */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeDirectory, refusalOf, writeWhole } from '#service/process/files/writing.ts';
import { type Run, runText } from '../journal/run-file.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import type { Report } from './schema/schema.ts';

export type WriteOptions = {
  /** Created if it does not exist; reports of an earlier run in it are replaced. */
  directory: string;
  run: Run;
  report: Report;
};

export type Written = {
  /** The files that were written, in this order. */
  paths: readonly string[];
  /** What could not be written, in one sentence. */
  problem?: string;
};

/**
 * Writes `run.json`, `report.json`, `junit.xml` and `report.html`. The journal comes first: the others can be
 * rebuilt from it. An aborted run (`finished: false`) is written in the same way and says so. Never throws
 * what the file system says: the verdicts count without their files, too.
 */
export function writeReports({ directory, run, report }: WriteOptions): Written {
  const texts: Readonly<Record<string, () => string>> = {
    'run.json': () => runText(run),
    'report.json': () => `${JSON.stringify(report, null, 1)}\n`,
    'junit.xml': () => junitOf(report),
    'report.html': () => htmlOf(run, report),
  };
  const paths: string[] = [];
  const missing: string[] = [];
  let refusal: unknown;
  for (const [name, textOf] of Object.entries(texts)) {
    const path = join(directory, name);
    const text = textOf();
    try {
      makeDirectory(directory);
      writeWhole(path, text);
      paths.push(path);
    } catch (error) {
      missing.push(path);
      refusal ??= error;
    }
  }
  if (missing.length === 0) return { paths };
  return { paths, problem: `Failed to write ${missing.join(', ')}: ${refusalOf(refusal)}.` };
}

/** Where the reports are, as lines for a terminal: the page as an address to open, the others by name. */
export function placesOf(paths: readonly string[]): string[] {
  const page = paths.find((path) => path.endsWith('.html'));
  const others = paths.filter((path) => path !== page).map((path) => basename(path));
  return [
    ...(page === undefined ? [] : [`report: ${pathToFileURL(page).href}`]),
    ...(others.length > 0 ? [`beside it: ${others.join(', ')}`] : []),
  ];
}
