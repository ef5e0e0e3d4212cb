import { expect, test } from 'vitest';
import { scenarios } from '../scenarios/index.ts';
import { chosenChecks, neededScenarios } from './common.ts';

const needed = (only: string | undefined) => neededScenarios(chosenChecks(only, undefined)).map(({ id }) => id);

test('the name of a scenario plays it without all others, and leaves out the check that judges every scenario', () => {
  expect(chosenChecks('doubled-members', undefined).map(({ id }) => id)).not.toContain('server-survives');
  expect(needed('doubled-members')).toContain('doubled-members');
  expect(needed('doubled-members').length).toBeLessThan(5);
});

test('the check that judges every scenario plays all of them when it is asked for alone, and so does a run without --only', () => {
  const all = scenarios.map(({ id }) => id);
  expect(needed('server-survives')).toEqual(all);
  expect(needed(undefined)).toEqual(all);
});
