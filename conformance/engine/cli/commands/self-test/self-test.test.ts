import { expect, test } from 'vitest';
import type { PairRow } from '../../../defects/pair-row.ts';
import type { SelfTestRow } from '../../../defects/self-test.ts';
import { scoreFile, scoreOf, scoreOfPairs, scoreOfWhole } from './self-test.ts';

const row = (kind: SelfTestRow['kind'], id: string, ok: boolean): SelfTestRow => ({
  kind,
  id,
  shape: 'mock',
  title: `The server ${id}`,
  ok,
  found: 'found',
});
const rows = [
  row('reference', 'reference', true),
  row('defect', 'token-short', true),
  row('defect', 'token-long', false),
  row('harmless', 'slow', true),
];

test('the score counts each kind, and is good only when every row is', () => {
  expect(scoreOf(rows)).toMatchObject({
    ok: false,
    defects: 2,
    defectsFound: 1,
    harmless: 1,
    harmlessUnharmed: 1,
  });
  expect(scoreOf(rows).sentence).toContain('1 of 2 defects found');
  expect(scoreOf(rows.filter(({ ok }) => ok)).ok).toBe(true);
  expect(scoreOf(rows).sentence).toContain('the right server of its shape passed');
  expect(scoreOf([row('reference', 'reference', false)]).sentence).toContain('DID NOT PASS of: mock');
  const three = (['mock', 'challenge', 'carried-sign'] as const).map((shape) => ({
    ...row('reference', shape, true),
    shape,
  }));
  expect(scoreOf(three).sentence).toContain('the right server of each of 3 shapes passed');
});

test('pairs are counted by outcome, and an unnamed one is no success', () => {
  const pair = (result: PairRow['result']): PairRow => ({ id: 'a + b', shape: 'mock', result, found: '' });
  const good = [pair('both named'), pair('one hides the other'), pair('not composed')];
  expect(scoreOfPairs(good)).toMatchObject({ ok: true, both: 1, one: 1, apart: 1, missed: 0 });
  expect(scoreOfPairs([...good, pair('not named')])).toMatchObject({ ok: false, missed: 1 });
  expect(scoreOfPairs([...good, pair('crashed')])).toMatchObject({ ok: false, crashed: 1 });
  expect(scoreOfPairs([pair('not composed')]).ok).toBe(false);
});

test('of whole runs nine in ten must name the cause of the defect first', () => {
  const whole = (place: number, leader = 'its-check') => {
    const about = { id: 'a', check: 'its-check', causes: 2, first: 'its-check: it is so' };
    return { ...about, place, leader };
  };
  const rows = Array.from({ length: 18 }, (_, index) => whole(1, index === 0 ? 'another' : 'its-check'));
  expect(scoreOfWhole([...rows, whole(2), whole(0)])).toMatchObject({
    ok: true,
    runs: 20,
    first: 18,
    leading: 17,
  });
  expect(scoreOfWhole([...rows.slice(1), whole(1), whole(2), whole(2), whole(2)]).ok).toBe(false);
  expect(scoreOfWhole([]).ok).toBe(false);
});

test('the score file has the seed, the counts and the outcome of every id', () => {
  expect(scoreFile(7, rows)).toEqual({
    seed: 7,
    ...scoreOf(rows),
    rows: {
      reference: { reference: true },
      defect: { 'token-short': true, 'token-long': false },
      harmless: { slow: true },
    },
  });
});

test('the score file has the score of each shape where there are several', () => {
  const two = [...rows, { ...row('defect', 'other', true), shape: 'challenge' as const }];
  expect(scoreFile(7, two)).toMatchObject({ shapes: { mock: { defects: 2 }, challenge: { defects: 1 } } });
});
