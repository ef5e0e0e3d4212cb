/** Counts the tests in the JSON report of a test runner. A report that cannot be trusted is never green. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

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
