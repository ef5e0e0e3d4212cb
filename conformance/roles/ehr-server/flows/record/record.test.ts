import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { wrongMembers } from './record.ts';

test('members of a record that are wrong are told by their paths, and those missing are not', () => {
  const [right] = personas.anna.patients;
  const { name: _missing, ...rest } = JSON.parse(JSON.stringify(right));
  expect(wrongMembers(rest)).toEqual([]);
  expect(wrongMembers({ ...rest, surname: 7, phones: ['79990000001', 8] })).toEqual(['surname', 'phones.1']);
});
