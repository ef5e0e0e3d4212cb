import { expect, test } from 'vitest';
import { flowFiles } from './flow-files.ts';
import { nearestTitles } from './titles.ts';

const files = flowFiles('.test.ts', ['flows/flows', 'scripted/linking']);
const LISTING_TIMEOUT_MS = 120_000;

test('a title in a source is found without asking a test runner', async () => {
  expect(await nearestTitles('log-out: log out', files)).toBeUndefined();
  expect(await nearestTitles('namesakes never match', files)).toBeUndefined();
});

test(
  'of a text in no title the nearest titles are named, and one made at run time is found',
  async () => {
    expect(await nearestTitles('an exchange token 1 ms before', files)).toBeUndefined();
    expect(await nearestTitles('returning users', files)).toContain(
      'returning-user: a returning user sees the record after the code alone, without a form',
    );
  },
  LISTING_TIMEOUT_MS,
);
