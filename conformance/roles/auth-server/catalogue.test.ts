import { expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import { checks } from './checks.ts';
import { defects, harmless } from './defects/index.ts';
import { scenarios } from './flows/index.ts';

test('ids are kebab-case and unique', () => {
  for (const each of [checks, defects, harmless, scenarios]) {
    const ids = each.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('every check names existing scenarios, and a requirement of the authorization server', () => {
  const names = new Set(scenarios.map(({ id }) => id));
  for (const check of checks) {
    expect(check.scenarios.filter((name) => !names.has(name))).toEqual([]);
    expect(check.scenarios.length).toBeGreaterThan(0);
    const cited = check.requirements.map((id) => requirements.find((each) => each.id === id));
    expect(cited).not.toContain(undefined);
    expect(
      cited.some((each) => each && [each.party].flat().includes('auth-server')),
      check.id,
    ).toBe(true);
  }
});

/** Checks that the mock cannot fail, with the reason. */
const WITHOUT_DEFECT: Readonly<Record<string, string>> = {
  'no-sign-in-without-gateway': 'the mock has no SMS gateway',
};

test('every defect names a check, and every check has a defect or excuse', () => {
  const ids = new Set(checks.map(({ id }) => id));
  expect(defects.filter(({ caughtBy }) => !ids.has(caughtBy)).map(({ id }) => id)).toEqual([]);
  const named = new Set(defects.map(({ caughtBy }) => caughtBy));
  expect([...ids].filter((id) => !named.has(id))).toEqual(Object.keys(WITHOUT_DEFECT));
});
