import { expect, test } from 'vitest';
import type { Entry, StepResult } from '../../../../engine/journal/entry.ts';
import { JournalView } from '../../../../engine/journal/view.ts';
import { wrongCodes } from './wrong-codes.ts';

const labels = ['right code', 'used code'].map((label) => ({ scenario: wrongCodes.id, label }));
const done: StepResult = { kind: 'done', values: {} };
const refused = (status: number): StepResult => ({ kind: 'refused', status });

/** Says what is found of a code that is confirmed twice with these results. */
function said(first: StepResult, second: StepResult) {
  const entries = labels.flatMap((label, index): Entry[] => [
    { ...{ kind: 'step', seq: 10 * index + 1, at: 1, user: 'Ann', step: 'confirmOtp' }, ...label },
    {
      ...{
        kind: 'outcome',
        seq: 10 * index + 2,
        at: 2,
        scenario: label.scenario,
        step: 10 * index + 1,
        took: 1,
      },
      result: [first, second][index] as StepResult,
    },
  ]);
  return wrongCodes.checks.find(({ id }) => id === 'used-code-refused')?.judge(new JournalView(entries))
    ?.outcome;
}

test('a code that confirms a second time is a fault', () => {
  expect(said(done, done)).toBe('fail');
  expect(said(done, refused(403))).toBe('pass');
});

test('a code whose first use met a limit of requests is not used', () => {
  expect(said(refused(429), done)).toBe('inconclusive');
});
