import { expect, test } from 'vitest';
import type { StepResult } from '../../../../engine/journal/entry.ts';
import { playedStep } from '../../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../../engine/journal/view.ts';
import { wrongCodes } from '../../flows/codes/wrong-codes.ts';
import { codeRules } from './code-values.ts';

const done: StepResult = { kind: 'done', values: {} };
const refused: StepResult = { kind: 'refused', status: 403 };

/** Says what is found of a code of so many digits that is requested and confirmed with these results. */
function said(requested: StepResult, confirmed: StepResult, length = 6) {
  const about = { scenario: wrongCodes.id, user: 'Fay' };
  const facts = { length, digits: true };
  const journal = new JournalView([
    ...playedStep(1, { ...about, step: 'requestOtp', label: 'Fay requests a code' }, requested),
    { kind: 'code', seq: 5, at: 2, ...about, code: 'code 1', facts },
    ...playedStep(11, { ...about, label: 'Fay: right code' }, confirmed),
  ]);
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
