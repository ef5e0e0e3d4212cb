import { expect, test } from 'vitest';
import { People } from './people.ts';

const few = (count: number) => new People({ phone: (index) => `7999000000${index}`, count });

test('people are lent as soon as they are free, in order of asking', async () => {
  const people = few(4);
  const first = await people.take(3);
  const told: string[] = [];
  const second = people.take(2).then((taken) => {
    told.push('second');
    return taken;
  });
  const third = people.take(1).then(() => told.push('third'));
  expect(people.takeOneMore()?.phone).toBe('79990000003');
  expect(people.takeOneMore()).toBeUndefined();
  people.giveBack(first);
  expect((await second).map(({ phone }) => phone)).toEqual(['79990000000', '79990000001']);
  await third;
  expect(told).toEqual(['second', 'third']);
});

test('who is spent takes part in nothing else, and nobody waits for them', async () => {
  const people = few(4);
  const all = await people.take(4);
  const next = people.take(4);
  people.spend('79990000002');
  expect(people.count).toBe(3);
  people.giveBack(all);
  expect((await next).map(({ phone }) => phone)).toEqual(['79990000000', '79990000001', '79990000003']);
});

test('a phone of its own means the same patient each time', () => {
  const people = few(4);
  const first = people.patientOfStranger('79995550000');
  expect(people.patientOfStranger('79995550001')).not.toEqual(first);
  expect(people.patientOfStranger('79995550000')).toEqual(first);
});

test('where phones are plenty, nobody is used twice', async () => {
  const people = few(Number.POSITIVE_INFINITY);
  const [ann] = await people.take(1);
  people.giveBack(ann ? [ann] : []);
  const [bea] = await people.take(1);
  expect(bea?.phone).not.toBe(ann?.phone);
});

test('it is remembered when codes were requested for a phone', () => {
  const people = few(1);
  expect(people.codesTo('79990000000')).toEqual([]);
  people.codeSentTo('79990000000', 5);
  people.codeSentTo('79990000000', 9);
  people.codeSentTo('79990000001', 9);
  expect(people.codesTo('79990000000')).toEqual([5, 9]);
  expect(people.codesSince(5)).toBe(2);
});
