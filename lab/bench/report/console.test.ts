import { expect, test } from 'vitest';
import { BARE, EHR } from '../names.ts';
import { tablesText, verdictsText } from './console.ts';
import { rounded } from './figures.ts';
import { tableOf } from './testing.ts';

test('a table shows median, extremes, and ratios made inside the rounds', () => {
  const table = tableOf(
    'get-patient',
    [
      ['32 connections', EHR, 9_000, 11_000, 4_000],
      ['32 connections', BARE, 10_000, 10_000, 5_000],
    ],
    { base: BARE },
  );
  Object.assign(table.rows[0] as object, { cpu: [80, 90, 100], p99: [3, 4, 5] });
  Object.assign(table.rows[1] as object, { cpu: [40, 45, 50], p99: [2, 2.5, 3] });
  expect(tablesText({ tables: [table] })).toBe(`
get-patient (calls/s, higher is better; ratio to bare node:http)
                                  median    min     max  ratio  CPU µs  ratio  p99 ms
  32 connections  EHR server       9 000  4 000  11 000   0.90      90   2.00       4
  32 connections  bare node:http  10 000  5 000  10 000             45            2.5
`);
});

test('columns that nothing was measured for are left out', () => {
  const text = tablesText({ tables: [tableOf('fixtures', [['1 000 000 patients', 'npm run fixtures', 12.345]])] });
  expect(text.split('\n')[2]?.trim().split(/\s+/)).toEqual(['median', 'min', 'max']);
  expect(text).toContain('12.3');
});

test('figures have three digits, or are whole numbers in groups', () => {
  expect([0, 0.1234, 9.996, 45.67, 123.4, 33_333.3, 1_234_567].map(rounded)).toEqual([
    '0',
    '0.123',
    '10',
    '45.7',
    '123',
    '33 333',
    '1 234 567',
  ]);
});

test('each verdict is one line that says met or missed', () => {
  const text = verdictsText([
    { target: 'a', measured: '0.90', met: true },
    { target: 'b', measured: '0.10', met: false },
    { target: 'c', measured: 'not measured in this run', met: undefined },
  ]);
  expect(text).toBe('✓ met    a: 0.90\n✗ missed b: 0.10\n· c: not measured in this run\n');
});
