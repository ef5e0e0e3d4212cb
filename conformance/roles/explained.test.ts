import { expect, test } from 'vitest';
import { roles } from './index.ts';
import { judgedRoles } from './judge.ts';

test.each(Object.entries(judgedRoles))('what checks of %s explain are checks', (_role, { checks }) => {
  const ids = new Set(checks.map(({ id }) => id));
  const named = checks.flatMap(({ explains = [] }) => explains);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});

test.each(roles)('each check of $id that its right party can show has a defect', async ({ load }) => {
  const { checks, defects, mayNotApply } = await (await load()).catalogue();
  const caught = new Set(defects.map(({ caughtBy }) => caughtBy));
  const bare = checks.filter(({ id }) => !caught.has(id) && !mayNotApply(id));
  expect(bare.map(({ id }) => id)).toEqual([]);
});
