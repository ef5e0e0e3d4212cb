import { expect, test } from 'vitest';
import { interleave } from './rounds.ts';

test('every round measures everybody once, forwards and backwards in turn', async () => {
  const seen: string[] = [];
  await interleave(['a', 'b', 'c'], 3, async (item, round) => {
    seen.push(`${item}${round}`);
  });
  expect(seen).toEqual(['a0', 'b0', 'c0', 'c1', 'b1', 'a1', 'a2', 'b2', 'c2']);
});

test('one slice ends before the next begins, and a failure ends the rounds', async () => {
  let running = 0;
  const measured: string[] = [];
  const measure = async (item: string) => {
    expect(++running).toBe(1);
    await new Promise(setImmediate);
    running--;
    measured.push(item);
    if (item === 'b') throw new Error('broken');
  };
  await expect(interleave(['a', 'b', 'c'], 2, measure)).rejects.toThrow('broken');
  expect(measured).toEqual(['a', 'b']);
});
