import { expect, test } from 'vitest';
import { scenarios } from '../../../roles/auth-server/flows/index.ts';
import { allClientChecks } from '../../../roles/client/flows/index.ts';
import { allEhrChecks } from '../../../roles/ehr-server/flows/index.ts';
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

test.each([
  ['logout-ehr-first', allClientChecks],
  ['exchange-token-used-once', allEhrChecks],
])('%s, the name of a check and of its scenario, selects that check alone', (name, checks) => {
  expect(chosenChecks(name, undefined, checks).map(({ id }) => id)).toEqual([name]);
});

test('a clause plays the scenarios of its own checks of a client, and few others', () => {
  const played = new Set(chosenChecks('4.5', undefined, allClientChecks).flatMap(({ scenarios }) => scenarios));
  expect([...played]).toContain('logout-ehr-first');
  const all = new Set(allClientChecks.flatMap(({ scenarios }) => scenarios));
  expect(played.size).toBeLessThan(all.size / 4);
});
