import { expect, test } from 'vitest';
import { atEndOfTurn } from './end-of-turn.ts';

test('work of one turn is done at its end, in order', async () => {
  const done: string[] = [];
  atEndOfTurn(() => {
    done.push('first');
    atEndOfTurn(() => done.push('of the next turn'));
    void Promise.resolve().then(() => done.push('in between'));
  });
  atEndOfTurn(() => done.push('second'));
  expect(done).toEqual([]);
  await new Promise(setImmediate);
  expect(done).toEqual(['first', 'second', 'in between']);
  await new Promise(setImmediate);
  expect(done.at(-1)).toBe('of the next turn');
});
