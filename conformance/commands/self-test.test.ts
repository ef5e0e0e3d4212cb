import { expect, test } from 'vitest';
import type { SelfTestRow } from '../self-test/self-test.ts';
import { scoreFile, scoreOf } from './self-test.ts';

const row = (kind: SelfTestRow['kind'], id: string, ok: boolean): SelfTestRow => ({
  kind,
  id,
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
  expect(scoreOf(rows)).toMatchObject({ ok: false, defects: 2, defectsFound: 1, harmless: 1, harmlessUnharmed: 1 });
  expect(scoreOf(rows).sentence).toContain('1 of 2 defects found');
  expect(scoreOf(rows.filter(({ ok }) => ok)).ok).toBe(true);
  expect(scoreOf([row('reference', 'reference', false)]).sentence).toContain('DID NOT PASS');
});

test('the score file has the seed, the counts and every id with its outcome, and nothing else', () => {
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
