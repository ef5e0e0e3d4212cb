import { expect, test } from 'vitest';
import { Patients } from './patients.ts';

const person = (name: string) => ({ name, surname: 'Petrova', date: '1985-04-12', phone: '79990000001' });

test('a held patient is not lent, and no scenario waits for its own', async () => {
  const patients = new Patients([person('Anna'), person('Vera')]);
  const anna = await patients.take(({ name }) => name === 'Anna');
  if (!anna) throw new Error('Anna is free.');
  patients.giveBack(anna, 'the first scenario');
  expect(await patients.take(({ name }) => name === 'Anna')).toBe(anna);
  expect(patients.hold(anna)).toBe('the first scenario');
  patients.giveBack(anna, 'the second scenario');
  expect(await patients.take(({ name }) => name === 'Anna')).toBeUndefined();
  expect(patients.heldSince(({ name }) => name === 'Anna')).toBe('the first scenario');
  expect((await patients.take())?.name).toBe('Vera');
  expect(await patients.take()).toBeUndefined();
  expect(patients.heldSince(({ name }) => name === 'Vera')).toBe('the first scenario');
});
