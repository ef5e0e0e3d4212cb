import { expect, test } from 'vitest';
import { neededBy } from '../engine/check/playing.ts';
import { chosenChecks, leftOutBy } from '../engine/cli/commands/chosen-checks.ts';
import type { Run } from '../engine/journal/run-file.ts';
import { entryOf } from '../engine/role.ts';
import { roles } from './index.ts';
import { judge, judgedRoles, type RoleName } from './judge.ts';

const chosen = (role: RoleName, only: string | undefined) => chosenChecks(only, judgedRoles[role]);
const needed = (role: RoleName, only: string | undefined) =>
  neededBy(chosen(role, only), judgedRoles[role].scenarios).map(({ id }) => id);

test('a scenario’s name plays it, without the check that judges all', () => {
  expect(chosen('auth-server', 'doubled-members').map(({ id }) => id)).not.toContain('server-survives');
  expect(needed('auth-server', 'doubled-members')).toContain('doubled-members');
  expect(needed('auth-server', 'doubled-members').length).toBeLessThan(5);
});

test('the check that judges every scenario plays all of them alone', () => {
  const all = judgedRoles['auth-server'].scenarios.map(({ id }) => id);
  expect(needed('auth-server', 'server-survives')).toEqual(all);
  expect(needed('auth-server', undefined)).toEqual(all);
});

test.each([
  ['logout-ehr-first', 'client'],
  ['exchange-token-used-once', 'ehr-server'],
] as const)('%s, the name of a check and of its scenario, selects that check alone', (name, role) => {
  expect(chosen(role, name).map(({ id }) => id)).toEqual([name]);
});

test('a clause plays the scenarios of its own checks, and few others', () => {
  expect(needed('client', '4.5')).toContain('logout-ehr-first');
  expect(needed('client', '4.4')).not.toContain('logout-ehr-first');
  expect(needed('client', '4.4').length).toBeLessThan(judgedRoles.client.scenarios.length / 2);
  expect(needed('client', '2.5')).toContain('names-of-several-words');
  expect(needed('client', '2.5').length).toBeLessThan(judgedRoles.client.scenarios.length / 4);
});

test.each(['nurse', 'constructor'])('a run of a role %s, which there is not, is refused', (role) => {
  const meta = { role, mode: 'scenarios', finished: true } as Run['meta'];
  expect(() => judge({ meta, entries: [] })).toThrow(`There is no role ${role} whose runs could be judged.`);
  expect(() => entryOf(roles, role)).toThrow(
    `There is no role ${role}: name one of auth-server, ehr-server, client.`,
  );
});

test('a scenario tells the checks it leaves out, and what adds them', () => {
  const role = judgedRoles['auth-server'];
  const scenario = role.scenarios[0]?.id ?? '';
  const said = leftOutBy(scenario, role) ?? '';
  expect(said).toMatch(/^--only \S+ leaves out \d+ checks over all messages\. To judge them too: --only /);
  const more = said.slice(said.lastIndexOf(' ') + 1);
  expect(chosen('auth-server', more).length).toBeGreaterThan(chosen('auth-server', scenario).length);
  expect(leftOutBy(more, role)).toBeUndefined();
  expect([leftOutBy(undefined, role), leftOutBy('5.1', role)]).toEqual([undefined, undefined]);
});
