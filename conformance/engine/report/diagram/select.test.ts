import { expect, test } from 'vitest';
import { scenarioOf } from '../../journal/attribution.ts';
import { fakeRun } from '../testing/fake-run.ts';
import { selectRows } from './select.ts';

const { run } = fakeRun({ crowd: 20 });
const entriesOf = (scenario: string) => run.entries.filter((entry) => scenarioOf(entry) === scenario);

/** The shown calls by seq, and gaps as `gap of N`. */
const shown = (scenario: string, evidence: number[], limit = 99) => {
  const { rows, left } = selectRows(entriesOf(scenario), new Set(evidence), limit);
  return {
    rows: rows.flatMap((row): (string | number)[] => {
      if (row.kind === 'call') return [row.exchange.seq];
      if (row.kind === 'gap') return [`gap of ${row.exchanges}, ${row.steps}`];
      return row.kind === 'step' ? [row.step.label] : [];
    }),
    left,
  };
};
const calls = entriesOf('returning-user').filter((entry) => entry.kind === 'exchange');
const save = calls.filter(({ facts }) => facts.call?.method === 'embedded_storage.save_auth_info').at(-1)
  ?.seq as number;

test('a message is shown within its step, and the rest as gaps', () => {
  expect(shown('returning-user', [save])).toEqual({
    rows: ['gap of 10, 6', 'Bea returns with user_sign', save - 1, save, 'gap of 1, 1'],
    left: 0,
  });
});

test('a step that is named brings its messages', () => {
  const step = entriesOf('returning-user').find(
    (entry) => entry.kind === 'step' && entry.label === 'Bea reads the record',
  );
  expect(shown('returning-user', [step?.seq as number]).rows.at(-2)).toBe('Bea reads the record');
  expect(shown('returning-user', [step?.seq as number]).rows.at(-1)).toBe((step?.seq as number) + 1);
});

test('the limit keeps the evidence before its surroundings and counts the rest', () => {
  const result = shown('returning-user', [save], 1);
  expect(result.rows.filter((row) => typeof row === 'number')).toEqual([save]);
  expect(result.left).toBe(1);
  const all = entriesOf('crowd').map(({ seq }) => seq);
  const many = shown('crowd', all, 8);
  expect(many.rows.filter((row) => typeof row === 'number')).toHaveLength(8);
  expect(many.left).toBe(20 * 8 - 8);
  expect(many.rows.at(-1)).toMatch(/^gap of 152, /);
});
