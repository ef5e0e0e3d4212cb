import { expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { drawn, drawnDefects } from './draw.ts';

test('equal seeds draw equal defects, each once', () => {
  const all = Array.from({ length: 50 }, (_, index) => index);
  const first = drawn(all, 20, seededRandom(1));
  expect(drawn(all, 20, seededRandom(1))).toEqual(first);
  expect(drawn(all, 20, seededRandom(2))).not.toEqual(first);
  expect(new Set(first).size).toBe(20);
  expect(drawn(all, 80, seededRandom(1)).sort((a, b) => a - b)).toEqual(all);
});

test('only narrows what was drawn, and draws no others', () => {
  const defects = ['late-a', 'late-b', 'odd-c', 'odd-d'].map((id) => ({ id }));
  const two = drawnDefects(defects, { drawSeed: 3, sample: 2 });
  const late = drawnDefects(defects, { drawSeed: 3, sample: 2, only: 'late' });
  expect(two).toHaveLength(2);
  expect(late).toEqual(two.filter(({ id }) => id.startsWith('late')));
});
