import { expect, test } from 'vitest';
import { checks } from '../checks.ts';
import { scenarios } from '../flows/index.ts';
import { outcomesOfSameCodeAgain } from './testing/same-code-again.ts';

/** The check that such a server could fail the first. All scenarios of codes: same-code-again.long.test.ts. */
const CHECK = 'superseded-code-refused';

test('a server may send the same code again while it lives', async () => {
  const judged = checks.find(({ id }) => id === CHECK)?.scenarios ?? [];
  const outcomes = await outcomesOfSameCodeAgain(scenarios.filter(({ id }) => judged.includes(id)));
  expect(outcomes.get(CHECK)).toBe('not applicable');
});
