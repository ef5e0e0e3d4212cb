/** Writes the journal and every form of the report: each file whole or not at all, never through a link. */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeDirectory, refusalOf, writeWhole } from '#service/process/files/writing.ts';
import { harmless } from '../harmless.ts';
import { type Run, runText } from '../journal/run-file.ts';
import { summaryOf } from './ci/summary.ts';
import { junitOf } from './junit.ts';
import type { Report } from './schema/schema.ts';
import { htmlOf } from './viewer/page.ts';

/** A finished run. Its directory is created, or the files of an earlier run in it are replaced. */
type Finished = { directory: string; run: Run; report: Report };

export type Written = {
  /** The files that were written, in this order. */
  paths: readonly string[];
  /** What could not be written, in one sentence. */
  problem?: string;
};

/**
 * Writes the journal first: all forms can be built from it again. A run that was broken off is written as
 * well. Never throws for a file that cannot be written, since the verdicts count without files.
 */
export function writeReports({ directory, run, report }: Finished): Written {
  const texts: Readonly<Record<string, () => string>> = {
    'run.json': () => runText(run),
    'report.json': () => `${harmless(JSON.stringify(report, null, 1))}\n`,
    'junit.xml': () => junitOf(report),
    'summary.md': () => summaryOf(report),
    'report.html': () => htmlOf(report),
  };
  const paths: string[] = [];
  const missing: string[] = [];
  let refusal: unknown;
  for (const [name, textOf] of Object.entries(texts)) {
    const path = join(directory, name);
    // Outside of the `try`: an error of the kit itself must not look like one of the disk.
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

/** Where the files are, in lines for a terminal: the page as an address that can be opened. */
export function placesOf(paths: readonly string[]): string[] {
  const page = paths.find((path) => path.endsWith('.html'));
  const others = paths.filter((path) => path !== page).map((path) => basename(path));
  return [
    ...(page === undefined ? [] : [`report: ${pathToFileURL(page).href}`]),
    ...(others.length > 0 ? [`beside it: ${others.join(', ')}`] : []),
  ];
}
