import { expect, test, vi } from 'vitest';
import type { Entry, StepResult } from '../../../../engine/journal/entry.ts';
import { playedStep } from '../../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../../engine/journal/view.ts';
import type { Driver } from '../../people/driver.ts';
import { controlOf } from '../flow.ts';
import { guessedCodes } from './guessed-codes.ts';
import { isOutlived, OUTLIVED } from './guesses.ts';
import { wrongCodes } from './wrong-codes.ts';

const labels = [
  { scenario: wrongCodes.id, label: 'right code', expects: controlOf('used-code-refused') },
  { scenario: wrongCodes.id, label: 'used code' },
] as const;
const done: StepResult = { kind: 'done', values: {} };
const refused = (status: number): StepResult => ({ kind: 'refused', status });

/** Says what is found of a code that is confirmed twice with these results. */
function said(first: StepResult, second: StepResult) {
  const [right, used] = labels;
  const entries = [...playedStep(1, right, first), ...playedStep(11, used, second)];
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

test('a code that has run out meanwhile is told, and not tried', () => {
  const note = vi.fn();
  const driver = { time: { now: () => 10_000, codeLifetimeMs: 8_000 }, note } as unknown as Driver;
  expect(isOutlived(driver, 2_001)).toBe(false);
  expect(note).not.toHaveBeenCalled();
  expect(isOutlived(driver, 2_000)).toBe(true);
  expect(note).toHaveBeenCalledWith(expect.stringContaining(OUTLIVED));
});

test('tries at a code that ran out prove no limit', () => {
  const scenario = guessedCodes.id;
  const entries: Entry[] = [
    { kind: 'scenario', seq: 1, at: 0, scenario, phase: 'begin', alone: true },
    ...playedStep(2, { scenario, label: 'right code at once' }),
    { kind: 'scenario', seq: 4, at: 3, scenario, phase: 'end' },
  ];
  const check = guessedCodes.checks.find(({ id }) => id === 'tries-limited');
  expect(check?.judge(new JournalView(entries))).toMatchObject({
    outcome: 'not applicable',
    because: OUTLIVED,
  });
});
