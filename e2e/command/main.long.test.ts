import { expect, test } from 'vitest';
import { own } from '../testing/told.ts';

test('an unknown title exits with 2', async () => {
  const missed = await own(['flows/flows'], 'returning (users');
  expect(missed).toMatchObject({ status: 2 });
  expect(missed.stderr).toContain(
    'No test has "returning (users" in its title in a file of e2e/ whose path contains "flows/flows". The files are:\n  e2e/flows/flows.test.ts\n',
  );
  // Nothing was built or started.
  expect(missed.stdout).toBe('');
  expect(missed.files()).toEqual([]);
});
