/** Runs the checks and the suites, one row each, and adds up the counts of their reports. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../set-up/set-up.mjs';
import { type Case, type Counts, countJunit, junitReport } from './junit.ts';
import { type Command, type Outcome, runCommand } from './run-command.ts';

/** A suite and the path of its JUnit report, relative to the root of the project. */
export type Suite = {
  readonly command: Command;
  readonly report: string;
  /** Whether the tests were chosen by name. Tests left out, even all of one suite, are then no failure. */
  readonly chosen?: boolean;
};

/** The path of the report of the checks. */
const CHECKS_REPORT = 'test-results/checks.xml';

/** The number of checks that run at the same time: none of them keeps two cores busy. */
const MAX_CHECKS_AT_ONCE = 2;

/** Runs each check to its end and writes their report. */
export async function runChecks(checks: readonly Command[]): Promise<Counts> {
  rmSync(join(root, CHECKS_REPORT), { force: true });
  const waiting = [...checks];
  const cases: Case[] = [];
  const runWaiting = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) cases.push(await runCheck(check));
  };
  await Promise.all(Array.from({ length: MAX_CHECKS_AT_ONCE }, runWaiting));
  mkdirSync(dirname(join(root, CHECKS_REPORT)), { recursive: true });
  writeFileSync(join(root, CHECKS_REPORT), junitReport('checks', cases));
  return readReport({ report: CHECKS_REPORT }, 0).counts;
}

async function runCheck(check: Command): Promise<Case> {
  const { code, output, seconds } = await runCommand(check);
  const passed = code === 0;
  row(passed, check.title, seconds, '');
  if (!passed) show(output);
  return { name: check.title, seconds, failure: passed ? undefined : output };
}

/**
 * Runs a suite and reads its report. An earlier report is removed first, so that it can never be read
 * instead.
 */
export async function runSuite(suite: Suite): Promise<Counts> {
  rmSync(resolve(root, suite.report), { force: true });
  mkdirSync(dirname(resolve(root, suite.report)), { recursive: true });
  const outcome = await runCommand(suite.command);
  const { counts, problem } = readReport(suite, outcome.code);
  const red = counts.failed > 0;
  row(!red, suite.command.title, outcome.seconds, `${counts.passed} passed${red ? `, ${counts.failed} failed` : ''}`);
  if (red) show(outcome.output);
  if (problem !== undefined) show(problem);
  return counts;
}

/** Prints the very last line and returns the exit code. A run without any passed test is not green. */
export function conclude(counts: readonly Counts[]): number {
  const passed = counts.reduce((sum, item) => sum + item.passed, 0);
  const failed = counts.reduce((sum, item) => sum + item.failed, 0);
  const none = passed + failed === 0;
  if (none) show('No test ran.');
  process.stdout.write(`${passed} passed, ${none ? 1 : failed} failed\n`);
  return failed === 0 && !none ? 0 : 1;
}

/**
 * Compares a report with how its suite ended. A report that is missing, unreadable or empty is one failure;
 * so is a suite that ended badly although its report contains no failure. A skipped test has failed.
 */
export function readReport(
  { report, chosen = false }: Pick<Suite, 'report' | 'chosen'>,
  code: Outcome['code'],
  directory: string = root,
): { counts: Counts; problem?: string } {
  const bad = (problem: string, passed = 0) => ({ counts: { passed, failed: 1, skipped: 0 }, problem });
  let counts: Counts;
  try {
    counts = countJunit(readFileSync(resolve(directory, report), 'utf8'));
  } catch (error) {
    return bad(`The report ${report} cannot be used: ${(error as Error).message}`);
  }
  const { passed, skipped } = counts;
  const failed = counts.failed + (chosen ? 0 : skipped);
  if (passed + failed === 0 && !chosen) return bad(`The report ${report} has no tests.`);
  if (failed === 0 && code !== 0)
    return bad(`The suite ended with ${code}, although its report ${report} knows of no failure.`, passed);
  return { counts: { passed, failed, skipped } };
}

function row(passed: boolean, title: string, seconds: number, note: string): void {
  process.stdout.write(
    `${passed ? '✓' : '✗'} ${title.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s  ${note}`.trimEnd().concat('\n'),
  );
}

function show(text: string): void {
  process.stdout.write(`\n${text.trim().replace(/^/gm, '    ')}\n\n`);
}
