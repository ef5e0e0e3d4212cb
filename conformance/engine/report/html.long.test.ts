import { expect, test } from 'vitest';
import { htmlOf } from './html.ts';
import { fakeReport } from './testing/fake-run.ts';
import { largeRun } from './testing/large-run.ts';
import { unpackedIn } from './testing/whole-page.ts';

test('the page of the largest run has at most 2 MB, with every scenario', () => {
  const large = largeRun();
  const text = htmlOf(large.run, fakeReport(large));
  expect(large.run.entries.filter(({ kind }) => kind === 'exchange').length).toBeGreaterThan(3_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000_000);
  const { parts } = unpackedIn(text);
  expect(Object.keys(parts).filter((key) => key.startsWith('scenario-'))).toHaveLength(200);
});
