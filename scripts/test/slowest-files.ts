/** The files of a suite that took longest, from the JSON report of its runner. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { root } from '../set-up/set-up.mjs';

const MAX_FILES = 10;

/** A file with the seconds of its tests. */
type FileTime = { readonly file: string; readonly seconds: number };

const vitestReport = z.object({
  testResults: z.array(
    z
      .object({ name: z.string(), startTime: z.number(), endTime: z.number() })
      .transform(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1_000 })),
  ),
});

/** A suite of Playwright: a file, or a group of tests in it. */
type PlaywrightSuite = {
  readonly specs: readonly {
    readonly tests: readonly { readonly results: readonly { duration: number }[] }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[] | undefined;
};
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(
    z.object({ tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })) }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightReport = z.object({ suites: z.array(playwrightSuite.and(z.object({ file: z.string() }))) });

const fileTimes = z.union([
  vitestReport.transform(({ testResults }) => testResults),
  playwrightReport.transform(({ suites }) =>
    suites.map((suite) => ({ file: suite.file, seconds: durationOf(suite) / 1_000 })),
  ),
]);

/** Returns a title and at most ten lines, the slowest file first. Each file is counted as if it ran alone. */
export function slowestFiles(report: string): string {
  const times = fileTimes.parse(JSON.parse(readFileSync(resolve(root, report), 'utf8')));
  return `\nSlowest files in ${report}:\n${slowestFirst(times).map(lineOf).join('')}\n`;
}

function slowestFirst(times: readonly FileTime[]): readonly FileTime[] {
  return [...times].sort((a, b) => b.seconds - a.seconds).slice(0, MAX_FILES);
}

function lineOf({ file, seconds }: FileTime): string {
  const shown = file.startsWith(root) ? relative(root, file) : file;
  return `${seconds.toFixed(1).padStart(8)} s  ${shown}\n`;
}

/** The milliseconds of all tests of a suite. */
function durationOf({ specs, suites = [] }: PlaywrightSuite): number {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration)),
  );
  return [...own, ...suites.map(durationOf)].reduce((sum, each) => sum + each, 0);
}
