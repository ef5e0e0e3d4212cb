import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { publishedReportSchema, readReport, reportSchema } from './schema.ts';

test('the published schema is the one that reports follow; conformance/engine/report/schema/write-schema.ts writes it', () => {
  const published = readFileSync(new URL('../../../report.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(publishedReportSchema());
});

test('the published schema takes a report and refuses one that lacks something', () => {
  const schema = z.fromJSONSchema(publishedReportSchema());
  const report = JSON.parse(JSON.stringify(fakeReport(fakeRun({ crowd: 2 }))));
  expect(schema.safeParse(report).error?.issues).toBeUndefined();
  for (const name of ['summary', 'verdicts', 'requirements', 'entries']) {
    expect(schema.safeParse({ ...report, [name]: undefined }).success, name).toBe(false);
  }
});

test('the schema describes every member of a report', () => {
  const notSetUp = [{ problem: 'a', remedy: 'b' }];
  const more = { only: '5.1', notSetUp, playAlone: (check: string) => `play ${check}` };
  const report = JSON.parse(JSON.stringify(fakeReport(fakeRun({ crowd: 2, finished: false }), more)));
  // Parsing drops members that the schema lacks.
  expect(reportSchema.parse(report)).toEqual(report);
});

test('a file that is no report is refused with the reason', () => {
  const file = join(temporaryFolder(), 'report.json');
  writeFileSync(file, 'not JSON');
  expect(() => readReport(file)).toThrow(`Failed to read ${file}: it is not JSON.`);
  writeFileSync(file, '{"format":"embedded-ehr-run/1"}');
  expect(() => readReport(file)).toThrow(/it is no report of this version at format/);
  const report = { ...fakeReport(fakeRun({ crowd: 2 })), scenarios: [{ scenario: 7 }] };
  writeFileSync(file, JSON.stringify(report));
  expect(() => readReport(file)).toThrow(/at scenarios\.0\.scenario/);
  expect(() => readReport(`${file}.none`)).toThrow(/Failed to read .*\.none/);
});
