import { expect, test } from 'vitest';
import { flowFiles } from './flow-files.ts';
import { nearestTitles } from './titles.ts';

const LISTING_TIMEOUT_MS = 120_000;

test('the nearest titles are those with most words of the text', {
  timeout: LISTING_TIMEOUT_MS,
}, async () => {
  const files = [...flowFiles('.test.ts', ['flows/flows']), ...flowFiles('.spec.ts', ['browser/languages'])];
  const [nearest = ''] = await nearestTitles('returning users', files);
  expect(nearest).toBe(
    'returning-user: a returning user sees the record after the code alone, without a form',
  );
  expect((await nearestTitles('code', files)).length).toBe(8);
});
