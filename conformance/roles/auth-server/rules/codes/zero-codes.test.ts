import { expect, test } from 'vitest';
import type { Entry, StepResult } from '../../../../engine/journal/entry.ts';
import { codeFacts } from '../../../../engine/journal/observe.ts';
import { playedStep } from '../../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../../engine/journal/view.ts';
import { scenarios } from '../../flows/index.ts';
import { zeroCodeRules } from './zero-codes.ts';

const done: StepResult = { kind: 'done', values: {} };
const refused: StepResult = { kind: 'refused', status: 403 };

/** The end of each scenario. */
const ends = scenarios.map(
  ({ id }): Entry => ({ kind: 'scenario', seq: 1000, at: 1000, scenario: id, phase: 'end' }),
);

/** Judges codes that were requested and typed in. `isRight` says which of them the server confirms. */
function found(codes: readonly string[], isRight: (code: string) => boolean, ended = ends) {
  const entries = codes.flatMap((code, index): Entry[] => {
    const about = { at: index, scenario: 's', user: `u ${index}` };
    const [ask, came, type] = [5 * index + 1, 5 * index + 3, 5 * index + 4];
    const facts = codeFacts(code, { phone: '79995550001', now: 1_768_467_600_000, before: [] });
    return [
      ...playedStep(ask, { ...about, step: 'requestOtp', label: 'request' }),
      { kind: 'code', seq: came, ...about, code: `code ${index}`, facts },
      ...playedStep(
        type,
        { ...about, label: 'confirm', code: `code ${index}` },
        isRight(code) ? done : refused,
      ),
    ];
  });
  return zeroCodeRules[0]?.judge(new JournalView([...entries, ...ended]));
}

const whole = ['123456', '654321', '901234', '345678', '567890'];
const zeros = ['012345', '001234', '098765'];
const short = zeros.map((code) => String(Number(code)));

test('codes whose zeros are lost in message or store are a fault', () => {
  expect(found([...whole, ...zeros], (code) => !code.startsWith('0'))).toMatchObject({
    outcome: 'fail',
    actual: 'none of 3 codes that begin with a zero confirmed',
  });
  expect(found([...whole, ...short], (code) => code.length === 6)).toMatchObject({
    outcome: 'fail',
    actual: 'none of 3 codes that begin with a zero confirmed; 3 of them came shorter than the others',
  });
});

test('short codes that confirm, and codes without a first zero, are right', () => {
  expect(found([...whole, ...short], () => true)?.outcome).toBe('pass');
  expect(found(whole, () => true)?.outcome).toBe('not applicable');
});

test('two refused codes, or most codes refused, show nothing', () => {
  expect(found([...whole, ...zeros.slice(1)], (code) => !code.startsWith('0'))?.outcome).toBe(
    'not applicable',
  );
  expect(found([...whole, ...zeros], (code) => code === '123456')?.outcome).toBe('not applicable');
});

test('too few such codes show nothing while scenarios with codes are missing', () => {
  expect(found(whole, () => true, [])?.outcome).toBe('inconclusive');
});
