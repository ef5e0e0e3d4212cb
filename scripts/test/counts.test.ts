import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { countReport, slowestFiles } from './counts.ts';
import { conclude } from './suites.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

/** Counts a report with this content, of a suite that ended with this code. */
function count(content: object | string, code: number | string = 0) {
  const file = join(directory, 'a.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return countReport(file, code);
}

const ofVitest = { numPassedTests: 2, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
const ofPlaywright = { stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 } };

test('a report of either test runner is counted, and a skipped test has failed', () => {
  expect(count(ofVitest)).toEqual({ passed: 2, failed: 0 });
  expect(count({ ...ofVitest, numFailedTests: 1, numPendingTests: 2, numTodoTests: 4 }, 1)).toMatchObject({
    failed: 7,
  });
  expect(count(ofPlaywright)).toEqual({ passed: 2, failed: 0 });
  const { stats } = ofPlaywright;
  expect(count({ stats: { ...stats, unexpected: 1, flaky: 2, skipped: 4 } }, 1)).toMatchObject({ failed: 7 });
});

test('a report missing, broken, empty or of another form is a failure', () => {
  const missing = countReport(join(directory, 'none.json'), 0);
  expect(missing).toEqual({ passed: 0, failed: 1, problem: expect.stringContaining('ENOENT') });
  for (const text of ['', '{"numPassedTests":2', '{}', 'Error: no report'])
    expect(count(text), text).toEqual({
      passed: 0,
      failed: 1,
      problem: expect.stringContaining('cannot be used'),
    });
  expect(count({ ...ofVitest, numPassedTests: 0 })).toMatchObject({
    failed: 1,
    problem: expect.stringContaining('no tests'),
  });
});

test('a suite that ends badly without a failed test is one failure', () => {
  expect(count(ofVitest, 1)).toMatchObject({ passed: 2, failed: 1 });
  expect(count(ofVitest, 'SIGKILL').problem).toContain('SIGKILL');
});

test('the last line adds everything up, and nothing at all is a failure', () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  expect(conclude([{ passed: 3, failed: 0 }])).toBe(0);
  expect(
    conclude([
      { passed: 3, failed: 0 },
      { passed: 1, failed: 2 },
    ]),
  ).toBe(1);
  expect(conclude([])).toBe(1);
  expect(written.filter((text) => /^\d/.test(text)).join('')).toBe(
    '3 passed, 0 failed\n4 passed, 2 failed\n0 passed, 1 failed\n',
  );
});

test('the slowest files of a report are named, at most ten, the slowest first', () => {
  const file = join(directory, 'a.json');
  const taking = (seconds: number) => ({
    name: `${seconds}.test.ts`,
    startTime: 0,
    endTime: seconds * 1_000,
  });
  writeFileSync(file, JSON.stringify({ testResults: Array.from({ length: 12 }, (_, at) => taking(at)) }));
  const lines = slowestFiles(file).trim().split('\n').slice(1);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('11.0 s  11.test.ts');
});

test('the time of a browser file is that of its tests, in whichever group', () => {
  const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
  const suite = { file: 'a.spec.ts', specs: [spec(1_000)], suites: [{ specs: [spec(500)] }] };
  writeFileSync(join(directory, 'a.json'), JSON.stringify({ suites: [suite] }));
  expect(slowestFiles(join(directory, 'a.json'))).toContain('1.5 s  a.spec.ts');
});
