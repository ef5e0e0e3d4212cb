import { expect, test } from 'vitest';
import { timeChecks } from './time.ts';

test.each(['minutes', 'seconds'])('the advice about a ttl in %s names the setting of the file', (unit) => {
  const found = timeChecks.find(({ check }) => check.id === `ttl-in-${unit}`);
  expect(found?.check.advice).toContain('ttlUnit');
});
