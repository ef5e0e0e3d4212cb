import { expect, test } from 'vitest';
import { expectFirstLink, runOwnParties } from '../testing/told.ts';

const E2E_TIMEOUT_MS = 120_000;

test('an unknown title exits with 2', async () => {
  const missed = await runOwnParties(['flows/flows'], 'returning (users');
  expect(missed).toMatchObject({ status: 2 });
  expect(missed.stderr).toContain(
    'No test has "returning (users" in its title in a file of e2e/ whose path contains "flows/flows". The files are:\n  e2e/flows/flows.test.ts\n',
  );
  // Nothing was built or started.
  expect(missed.stdout).toBe('');
  expect(missed.files()).toEqual([]);
});

// The page and the listing of parties of another make: main.test.ts.
test('flows are listed with time and result, and shown without secrets', {
  timeout: E2E_TIMEOUT_MS,
}, async () => {
  const { status, stdout, page, files } = await runOwnParties(
    ['flows/flows'],
    'first link: sign in, be refused',
  );
  expect(stdout).toMatch(
    /^ {2}✓ +\d+\.\d s {2}flows\/flows: first-link: first link: sign in, be refused, exchange token/m,
  );
  expect(stdout).toMatch(/\n1 passed, 0 failed\n$/);
  expect(status).toBe(0);
  // The JUnit reports are beside the page, where they replace none of another run.
  expect(files()).toEqual(['flows.html', 'vitest.xml']);
  expectFirstLink(page());
});
