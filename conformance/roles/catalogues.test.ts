import { expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import { roles } from './index.ts';
import { judgedRoles } from './judge.ts';

const expectNames = (names: readonly string[]) => {
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
};
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

test.each(Object.values(judgedRoles))('each check of $id names what there is', ({ id: role, ...judged }) => {
  const [ids, scenarios] = [idsOf(judged.checks), idsOf(judged.scenarios)];
  expectNames(ids);
  expectNames(scenarios);
  const binding = idsOf(requirements.filter(({ party }) => [party].flat().some((each) => each === role)));
  for (const check of judged.checks) {
    expect((check.explains ?? []).filter((each) => !ids.includes(each))).toEqual([]);
    expect(check.scenarios.filter((each) => !scenarios.includes(each))).toEqual([]);
    expect(check.scenarios.length, check.id).toBeGreaterThan(0);
    expect(check.requirements.filter((each) => binding.includes(each)).length, check.id).toBeGreaterThan(0);
  }
});

/** Checks that no defect can break: a right party here has no SMS gateway, no TLS, and runs in no browser. */
const WITHOUT_DEFECT: Readonly<Record<string, readonly string[]>> = {
  'ehr-server': ['internal-certificate-demanded'],
  'auth-server': ['no-sign-in-without-gateway'],
  client: ['reload-during-logout', 'back-shows-no-record', 'other-tab-follows'],
};

test.each(roles)('each check of $id has a defect, and each defect a check', async ({ id, load }) => {
  const { checks, defects } = await (await load()).catalogue();
  const [ids, caught] = [idsOf(checks), defects.map(({ caughtBy }) => caughtBy)];
  expect(caught.filter((check) => !ids.includes(check))).toEqual([]);
  expect(ids.filter((check) => !caught.includes(check))).toEqual(WITHOUT_DEFECT[id] ?? []);
});

test.each(roles)('ids and titles of the variants of $id are unique', async ({ load }) => {
  const { defects, harmless } = await (await load()).catalogue();
  const all = [...defects, ...harmless];
  expectNames(idsOf(all));
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});
