import { expect, test } from 'vitest';
import { judgedRoles } from './judge.ts';

test.each(Object.entries(judgedRoles))('what checks of %s explain are checks', (_role, { checks }) => {
  const ids = new Set(checks.map(({ id }) => id));
  const named = checks.flatMap(({ explains = [] }) => explains);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});
