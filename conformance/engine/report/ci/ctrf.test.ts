import { type CTRFReport, validate } from 'ctrf';
import { expect, test } from 'vitest';
import { fakeReport, fakeRun, known } from '../testing/fake-run.ts';
import { hostile } from '../testing/hostile.ts';
import { ctrfOf } from './ctrf.ts';

const fake = fakeRun({ crowd: 1 });
const contentOf = (...args: Parameters<typeof fakeReport>) =>
  JSON.parse(ctrfOf(fakeReport(...args))) as CTRFReport;
const testOf = ({ results }: CTRFReport, check: string) =>
  results.tests.find(({ name }) => name.startsWith(`${check}: `));

test('the report is valid by the published schema, whatever stands in the run', () => {
  const notSetUp = [{ problem: 'No server.', remedy: 'Start it.' }];
  for (const report of [
    fakeReport(fake),
    fakeReport(fakeRun({ finished: false })),
    fakeReport({ ...fake, verdicts: [] }, { notSetUp }),
    hostile(fakeReport(fake)),
  ])
    expect(validate(JSON.parse(ctrfOf(report)))).toEqual({ valid: true, errors: [] });
});

test('each check has its status, and the totals are right', () => {
  const content = contentOf(fake, { baseline: [known('auth-info-ttl')] });
  const statuses = ['wrong-code-refused', 'auth-info-ttl', 'no-correspondence', 'digest-shape'].map(
    (check) => testOf(content, check)?.status,
  );
  expect(statuses).toEqual(['failed', 'skipped', 'skipped', 'passed']);
  const { tests, passed, failed, skipped, start, stop } = content.results.summary;
  expect({ tests, passed, failed, skipped }).toEqual({ tests: 18, passed: 13, failed: 2, skipped: 3 });
  expect(stop).toBeGreaterThan(start);
  expect(content.results.environment).toMatchObject({
    appName: 'Acme Identity 7.2 (staging)',
    healthy: false,
  });
});

test('a failure carries what was expected, what was seen and what to do', () => {
  expect(testOf(contentOf(fake), 'auth-info-ttl')).toMatchObject({
    suite: ['interface', '§2.3'],
    message: 'expected a JSON integer; actual the string "86400", in 6 of 6 calls',
    trace: expect.stringContaining('to do: Send ttl as a JSON number'),
  });
});
