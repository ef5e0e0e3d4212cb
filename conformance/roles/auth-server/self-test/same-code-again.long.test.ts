import { expect, test } from 'vitest';
import { severalPhones } from '../flows/codes/several-phones.ts';
import { scenarios } from '../flows/index.ts';
import { doubledMembers } from '../flows/requests/doubled-members.ts';
import { codeRules } from '../rules/codes/code-values.ts';
import { outcomesOfSameCodeAgain } from './testing/same-code-again.ts';

test('a code that is sent again while it lives fails no check of codes', async () => {
  const judged = codeRules.find(({ id }) => id === 'codes-differ')?.scenarios ?? [];
  const ofCodes = scenarios.filter(({ id }) => judged.includes(id));
  const outcomes = await outcomesOfSameCodeAgain([...ofCodes, severalPhones, doubledMembers]);
  expect(outcomes.get('superseded-code-refused')).toBe('not applicable');
  expect(outcomes.get('codes-differ')).toBe('pass');
});
