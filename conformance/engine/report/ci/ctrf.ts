/**
 * Writes the report in the Common Test Report Format (https://ctrf.io), which dashboards of builds read. It
 * has the same test cases as the JUnit XML.
 */
import type { CTRFReport, Test, TestStatus } from 'ctrf';
import { suitesOf } from '../junit.ts';
import type { JunitCase } from '../junit-xml.ts';
import type { Report } from '../schema/schema.ts';

/** The version of the format. */
const SPEC_VERSION = '0.0.0';

/** What each kind of test case is in this format. What could not be judged has failed: it has not passed. */
const STATUS: Readonly<Record<JunitCase['kind'], TestStatus>> = {
  passed: 'passed',
  failure: 'failed',
  error: 'failed',
  skipped: 'skipped',
};

/** Returns the JSON of a report. */
export function ctrfOf(report: Report): string {
  const { meta, summary } = report;
  const tests = suitesOf(report).flatMap(({ name, cases }) => cases.map((each) => testOf(each, name)));
  const number = (wanted: TestStatus) => tests.filter(({ status }) => status === wanted).length;
  const start = Date.parse(meta.startedAt);
  const [name = '', version = ''] = meta.tool.split(' ');
  const content: CTRFReport = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    results: {
      tool: { name, version },
      summary: {
        tests: tests.length,
        passed: number('passed'),
        failed: number('failed'),
        skipped: number('skipped'),
        pending: 0,
        other: 0,
        start,
        stop: start + Math.round(summary.took ?? 0),
      },
      tests,
      environment: { appName: meta.target, healthy: summary.exitCode === 0 },
    },
  };
  return `${JSON.stringify(content, null, 1)}\n`;
}

/** The kit does not measure how long a check takes: several share a scenario. */
const NO_DURATION = 0;

function testOf({ classname, name, kind, message, text }: JunitCase, part: string): Test {
  return {
    name,
    status: STATUS[kind],
    duration: NO_DURATION,
    suite: [part, classname],
    rawStatus: kind,
    ...(message !== undefined && { message }),
    ...(text !== undefined && { trace: text }),
  };
}
