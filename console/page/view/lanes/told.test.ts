import { expect, test } from 'vitest';
import { linesOf } from '../../model/lines.ts';
import { exchange } from '../../testing/scripted-exchange.ts';
import { withTold } from './told.tsx';

const titles = (rows: typeof exchange) =>
  withTold(linesOf(rows)).flatMap((row) => (row.kind === 'told' ? [row.told.title] : []));

test('a refused link is not told as one that was made', () => {
  const refused = exchange.map((row) => (row.id === 8 ? { ...row, outcome: 'refused' as const } : row));
  expect(titles(exchange)).toContain('The two halves meet');
  expect(titles(refused)).toEqual(titles(exchange).slice(0, -1));
});
