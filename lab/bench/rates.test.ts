import { expect, test } from 'vitest';
import { bodiesOf } from './load/requests.ts';
import { interleave } from './rates.ts';

test('get_patient asks for each session once before one repeats', () => {
  const body = bodiesOf({ kind: 'get_patient', sessions: 1_000 });
  const tokens = Array.from({ length: 1_000 }, (_, sequence) => JSON.parse(body(sequence)).cred.token);
  expect(new Set(tokens).size).toBe(1_000);
});

test('every round measures everybody once, forwards and backwards in turn', async () => {
  const seen: string[] = [];
  await interleave(['a', 'b', 'c'], 3, async (item, round) => void seen.push(`${item}${round}`));
  expect(seen).toEqual(['a0', 'b0', 'c0', 'c1', 'b1', 'a1', 'a2', 'b2', 'c2']);
});
