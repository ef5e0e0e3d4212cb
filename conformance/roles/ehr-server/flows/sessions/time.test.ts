import { expect, test } from 'vitest';
import { timeFlows } from './time.ts';

test.each(['minutes', 'seconds'])('the advice about a ttl in %s names the setting of the file', (unit) => {
  const found = timeFlows.flatMap(({ checks }) => checks).find(({ id }) => id === `ttl-in-${unit}`);
  expect(found?.advice).toContain('ttlUnit');
});
