import { expect, test } from 'vitest';
import { tracedCall, traceOfCalls } from '../testing/traces.ts';
import { narrowed } from './narrowed.ts';

const callsOf = (user: string, count: number) =>
  Array.from({ length: count }, (_, index) => tracedCall(`${user} ${index}`, { user }));

test('a short trace stays whole', () => {
  const trace = traceOfCalls([...callsOf('Ann', 20), ...callsOf('Bea', 20)]);
  expect(narrowed(trace, new Set())).toBe(trace);
});

test('a long trace keeps the users of the finding, then those who began', () => {
  const trace = traceOfCalls(['Ann', 'Bea', 'Cid', 'Dan'].flatMap((user) => callsOf(user, 80)));
  const users = (near: string[]) => [
    ...new Set(narrowed(trace, new Set(near)).calls.map(({ user }) => user)),
  ];
  expect(users(['Dan 7'])).toEqual(['Ann', 'Dan']);
  expect(users([])).toEqual(['Ann', 'Bea']);
});
