import { expect, test } from 'vitest';
import { fakeReport } from '../testing/fake-run.ts';
import { largeRun } from '../testing/large-run.ts';
import { htmlOf } from './page.ts';

test('the page of the largest run has at most 1 MB, with every scenario', () => {
  const large = largeRun();
  const report = fakeReport(large);
  expect(large.run.entries.filter(({ kind }) => kind === 'exchange').length).toBeGreaterThan(3_000);
  expect(Buffer.byteLength(htmlOf(report))).toBeLessThanOrEqual(1_000_000);
  expect(report.scenarios.filter(({ shown, exchanges }) => shown > 0 && shown === exchanges)).toHaveLength(
    200,
  );
});
