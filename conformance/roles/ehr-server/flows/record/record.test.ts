import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { wrongMembers } from './record.ts';

test('wrong members of a record are told by their paths, missing ones not', () => {
  const [right] = personas.anna.patients;
  const { name: _missing, ...rest } = JSON.parse(JSON.stringify(right));
  expect(wrongMembers(rest)).toEqual([]);
  expect(wrongMembers({ ...rest, surname: 7, phones: ['79990000001', 8] })).toEqual(['surname', 'phones.1']);
});
