import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { junitReport } from './junit.ts';
import { conclude, readReport } from './suites.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'reports-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Reads a report with this text, of a suite that ended with this code. */
const read = (text: string | undefined, code: number | string, chosen = false) => {
  if (text !== undefined) writeFileSync(join(directory, 'a.xml'), text);
  return readReport({ report: 'a.xml', chosen }, code, directory);
};
const passing = { name: 'a', seconds: 0 };
const failing = { name: 'b', seconds: 0, failure: 'no' };

test('a report stands as it is when it agrees with how its suite ended', () => {
  expect(read(junitReport('s', [passing, passing]), 0)).toEqual({ counts: { passed: 2, failed: 0, skipped: 0 } });
  expect(read(junitReport('s', [passing, failing]), 1)).toEqual({ counts: { passed: 1, failed: 1, skipped: 0 } });
});

test('a report that is missing, broken or empty is one failure', () => {
  expect(read(undefined, 0)).toMatchObject({
    counts: { passed: 0, failed: 1 },
    problem: expect.stringContaining('ENOENT'),
  });
  expect(read('<testsuites>', 0)).toMatchObject({
    counts: { passed: 0, failed: 1 },
    problem: expect.stringContaining('breaks off'),
  });
  expect(read(junitReport('s', []), 0)).toMatchObject({
    counts: { passed: 0, failed: 1 },
    problem: expect.stringContaining('no tests'),
  });
});

test('a suite that ends badly without a failed test is one failure', () => {
  expect(read(junitReport('s', [passing]), 1)).toMatchObject({ counts: { passed: 1, failed: 1 } });
  expect(read(junitReport('s', [passing]), 'SIGKILL')).toMatchObject({ problem: expect.stringContaining('SIGKILL') });
});

const skipping =
  '<testsuites><testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite></testsuites>';

test('a skipped test has failed, unless tests were chosen by name', () => {
  expect(read(skipping, 0).counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(read(skipping, 0, true).counts).toEqual({ passed: 1, failed: 0, skipped: 1 });
  expect(read(junitReport('s', []), 0, true).counts).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

test('the last line adds everything up, and nothing at all is a failure', () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const some = { passed: 3, failed: 0, skipped: 0 };
  expect(conclude([some, some])).toBe(0);
  expect(conclude([some, { passed: 1, failed: 2, skipped: 0 }])).toBe(1);
  expect(conclude([])).toBe(1);
  expect(written.filter((text) => /^\d/.test(text))).toEqual([
    '6 passed, 0 failed\n',
    '4 passed, 2 failed\n',
    '0 passed, 1 failed\n',
  ]);
});
