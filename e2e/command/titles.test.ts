import { expect, test } from 'vitest';
import { flowFiles } from './flow-files.ts';
import { nearestOf, nearestTitles } from './titles.ts';

const LISTING_TIMEOUT_MS = 120_000;

const TITLES = [
  'a returning user sees the record after the code alone',
  'a user signs in',
  ...Array.from({ length: 9 }, (_, index) => `code ${index}`),
];

test('the nearest titles are those with most words of the text', () => {
  expect(nearestOf('returning users', TITLES)).toEqual([TITLES[0], TITLES[1]]);
  expect(nearestOf('code', TITLES)).toHaveLength(8);
  expect(nearestOf('nothing of it', TITLES)).toEqual([]);
});

// main.test.ts reads those of vitest.
test('titles of browser tests are read without a browser', { timeout: LISTING_TIMEOUT_MS }, async () => {
  const files = flowFiles('.spec.ts', ['browser/languages']);
  const [nearest = ''] = await nearestTitles('language of the page', files);
  expect(nearest).toBe('the page is in the language of the browser, until another is chosen');
});
