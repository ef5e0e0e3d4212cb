/** Runs the checks and the suites, one line each, and adds up their counts. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type JunitCase, junitXml } from '#conformance/engine/report/junit-xml.ts';
import { writeWhole } from '#service/process/files/writing.ts';
import { root } from '../set-up/set-up.mjs';
import { countReport, type TestCounts } from './counts.ts';
import { type Command, runCommand } from './run-command.ts';

/** The number of checks that run at the same time: none of them keeps two cores busy. */
const MAX_CHECKS_AT_ONCE = 2;

export async function runChecks(checks: readonly Command[], report: string): Promise<TestCounts> {
  const waiting = [...checks];
  const cases: JunitCase[] = [];
  const runWaiting = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      cases.push(await runCheck(check));
  };
  await Promise.all(Array.from({ length: MAX_CHECKS_AT_ONCE }, runWaiting));
  mkdirSync(dirname(join(root, report)), { recursive: true });
  const seconds = cases.reduce((sum, { seconds: own = 0 }) => sum + own, 0);
  writeWhole(join(root, report), junitXml({ name: 'checks', seconds }, [{ name: 'checks', cases }]));
  const failed = cases.filter(({ kind }) => kind === 'failure').length;
  return { passed: cases.length - failed, failed };
}

async function runCheck(check: Command): Promise<JunitCase> {
  const { code, output, seconds } = await runCommand(check);
  writeLine(code === 0, check.title, seconds, '');
  if (code !== 0) show(output);
  const about = { classname: 'checks', name: check.title, seconds };
  if (code === 0) return { ...about, kind: 'passed' };
  return { ...about, kind: 'failure', message: `${check.title} failed`, text: output };
}

/** An earlier report is removed first, so that it can never be read instead. */
export async function runSuite(suite: Command, report: string): Promise<TestCounts> {
  const file = resolve(root, report);
  rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  const { code, output, seconds } = await runCommand(suite);
  const { passed, failed, problem } = countReport(file, code);
  writeLine(failed === 0, suite.title, seconds, `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`);
  if (failed > 0) show(output);
  if (problem !== undefined) show(problem);
  return { passed, failed };
}

/** Prints the very last line and returns the exit code. A run without any passed test is not green. */
export function conclude(counts: readonly TestCounts[]): number {
  const passed = counts.reduce((sum, item) => sum + item.passed, 0);
  const failed = counts.reduce((sum, item) => sum + item.failed, 0);
  const isEmpty = passed + failed === 0;
  if (isEmpty) show('No test ran.');
  process.stdout.write(`${passed} passed, ${isEmpty ? 1 : failed} failed\n`);
  return failed === 0 && !isEmpty ? 0 : 1;
}

function writeLine(isGreen: boolean, title: string, seconds: number, note: string): void {
  const line = `${isGreen ? '✓' : '✗'} ${title.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s  ${note}`;
  process.stdout.write(`${line.trimEnd()}\n`);
}

function show(text: string): void {
  process.stdout.write(`\n${text.trim().replace(/^/gm, '    ')}\n\n`);
}
