import { expect, test } from 'vitest';
import type { Entry, StepResult } from '../../../../engine/journal/entry.ts';
import { JournalView } from '../../../../engine/journal/view.ts';
import { wrongCodes } from '../../flows/codes/wrong-codes.ts';
import { codeRules } from './code-values.ts';

const labels = ['Fay requests a code', 'Fay: right code'] as const;
const done: StepResult = { kind: 'done', values: {} };
const refused: StepResult = { kind: 'refused', status: 403 };

/** Says what is found of a code of so many digits that is requested and confirmed with these results. */
function said(requested: StepResult, confirmed: StepResult, length = 6) {
  const entries: Entry[] = (['requestOtp', 'confirmOtp'] as const).flatMap((step, index): Entry[] => {
    const label = { scenario: wrongCodes.id, label: labels[index] ?? '' };
    const seq = 10 * index + 1;
    return [
      { ...{ kind: 'step', seq, at: 1, user: 'Fay', step }, ...label },
      {
        ...{ kind: 'outcome', seq: seq + 1, at: 2, scenario: label.scenario, step: seq, took: 1 },
        result: [requested, confirmed][index] as StepResult,
      },
    ];
  });
  const facts = { length, digits: true };
  entries.push({ kind: 'code', seq: 5, at: 2, scenario: wrongCodes.id, user: 'Fay', code: 'code 1', facts });
  const journal = new JournalView(entries.sort((one, other) => one.seq - other.seq));
  return codeRules.find(({ id }) => id === 'code-length')?.judge(journal)?.outcome;
}

test('a code of six digits is long enough, and one of three is not', () => {
  expect(said(done, done)).toBe('pass');
  expect(said(done, done, 3)).toBe('fail');
});

test('of messages whose codes confirm nothing nobody knows that they are codes', () => {
  expect(said(done, refused)).toBe('inconclusive');
  expect(said(refused, done)).toBe('inconclusive');
});
