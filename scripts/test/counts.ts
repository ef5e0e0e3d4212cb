/**
 * Reads the JSON report of a test runner: counts its tests, and names the slowest files. A report that cannot be
 * trusted is never green.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { root } from '../set-up/set-up.mjs';

export type TestCounts = { readonly passed: number; readonly failed: number };

const vitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    numPendingTests: z.int(),
    numTodoTests: z.int(),
  })
  .transform(({ numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests }) => {
    return { passed, failed: numFailedTests + numPendingTests + numTodoTests };
  });

const playwrightReport = z
  .object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }) })
  .transform(({ stats: { expected: passed, unexpected, flaky, skipped } }) => {
    return { passed, failed: unexpected + flaky + skipped };
  });

const reports = z.union([vitestReport, playwrightReport]);

/** Missing, unreadable and empty reports, skipped tests and bad exit codes are failures. */
export function countReport(file: string, code: number | string): TestCounts & { readonly problem?: string } {
  let counts: TestCounts;
  try {
    counts = reports.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    return {
      passed: 0,
      failed: 1,
      problem: `The report ${file} cannot be used: ${(error as Error).message}`,
    };
  }
  if (counts.failed > 0) return counts;
  if (counts.passed === 0) return { ...counts, failed: 1, problem: `The report ${file} has no tests.` };
  if (code === 0) return counts;
  return {
    ...counts,
    failed: 1,
    problem: `The suite ended with ${code}, although ${file} knows of no failure.`,
  };
}

const MAX_FILES = 10;

/** A file with the seconds of its tests. */
type FileTime = { readonly file: string; readonly seconds: number };

const vitestTimes = z.object({
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
const playwrightTimes = z.object({ suites: z.array(playwrightSuite.and(z.object({ file: z.string() }))) });

const fileTimes = z.union([
  vitestTimes.transform(({ testResults }) => testResults),
  playwrightTimes.transform(({ suites }) =>
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
