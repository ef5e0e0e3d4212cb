import { expect, test } from 'vitest';
import { randomCode, seededRandom } from '#protocol/time/random.ts';
import type { CodeEntry, Entry, StepResult } from '../../../engine/journal/entry.ts';
import { codeFacts } from '../../../engine/journal/observe.ts';
import { playedStep } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { scenarios } from '../flows/index.ts';
import { atLeast, inWords, MAX_CHANCE, sameValue } from './chance.ts';
import { codeRules, codeWithZeroConfirms } from './codes.ts';

test('probabilities of hits are those of the binomial distribution', () => {
  expect(atLeast(0, 5, 0.5)).toBe(1);
  expect(atLeast(6, 5, 0.5)).toBe(0);
  expect(atLeast(5, 5, 0.5)).toBeCloseTo(1 / 32);
  expect(atLeast(1, 3, 0.1)).toBeCloseTo(1 - 0.9 ** 3);
  expect(atLeast(2, 4, 1)).toBe(1);
  expect(atLeast(1, 62_835, 0.1)).toBe(1);
  expect(sameValue(1, 9, 10)).toBe(1);
  expect(sameValue(2, 2, 10_000)).toBeCloseTo(1e-4);
  expect(sameValue(3, 3, 100)).toBeCloseTo(1e-4);
});

test('a probability is told in words', () => {
  expect(inWords(MAX_CHANCE / 2)).toBe('less often than once in a billion runs');
  expect(inWords(1e-6)).toBe('once in 1,000,000 runs');
});

/** The verdicts on these codes, sent to phones one after another, by check. */
function judged(codes: readonly string[]): Record<string, string> {
  let before: string[] = [];
  const requested = [
    ...playedStep(1, { scenario: 's', step: 'requestOtp', label: 'request' }),
    ...playedStep(3, { scenario: 's', label: 'confirm' }),
  ];
  const entries = codes.map((code, index): CodeEntry => {
    const facts = codeFacts(code, {
      phone: `7999555${1_000 + index}`,
      now: 1_768_467_600_000 + index * 700,
      before,
    });
    before = [code, ...before].slice(0, 3);
    return { kind: 'code', seq: index + 5, at: index, scenario: 's', user: `u ${index}`, code, facts };
  });
  const journal = new JournalView([...requested, ...entries]);
  return Object.fromEntries(codeRules.slice(1).map((check) => [check.id, check.judge(journal).outcome]));
}

const fine = { 'codes-differ': 'pass', 'codes-unpredictable': 'pass', 'code-length': 'pass' };
const numbers = Array.from({ length: 40 }, (_, index) => index);

test('drawn codes are not judged wrong, however many and short they are', () => {
  for (const digits of [4, 5, 6, 8]) {
    for (let seed = 1; seed <= 250; seed++) {
      const random = seededRandom(seed * 10 + digits);
      const count = seed % 2 === 0 ? 12 : 200;
      const codes = Array.from({ length: count }, () => randomCode(random, digits));
      expect(judged(codes), `${digits} digits, seed ${seed}`).toEqual(fine);
    }
  }
});

test('codes without a leading zero, and codes that lose it, are not judged wrong', () => {
  const random = seededRandom(7);
  const drawn = Array.from({ length: 300 }, () => randomCode(random, 6));
  expect(judged(drawn.filter((code) => !code.startsWith('0')))).toEqual(fine);
  expect(judged(drawn.map((code) => String(Number(code))))).toEqual(fine);
});

test('codes of letters are judged by what can be told of them', () => {
  const random = seededRandom(7);
  const letters = numbers.map(() => Buffer.from(random(4)).toString('hex').toUpperCase());
  expect(judged(letters)).toEqual(fine);
  expect(judged(numbers.map(() => 'ABCDEF'))['codes-differ']).toBe('fail');
});

test.each([
  ['one code for all', 'codes-differ', numbers.map(() => '1234')],
  ['few codes', 'codes-differ', numbers.map((number) => String(100_000 + ((number * 7) % 20) * 31_337))],
  ['counting up', 'codes-unpredictable', numbers.map((number) => String(4_000 + number))],
  ['counting down', 'codes-unpredictable', numbers.map((number) => String(700_000 - number))],
  ['counting beside others', 'codes-unpredictable', numbers.map((number) => String(4_000 + (number ^ 3)))],
  [
    'equal steps',
    'codes-unpredictable',
    numbers.map((number) => String((number * 387_281) % 1_000_000).padStart(6, '0')),
  ],
  [
    'always higher',
    'codes-unpredictable',
    numbers.map((number) => String(100_000 + number * 9_000 + (number % 7) * 150)),
  ],
  [
    'one tenth',
    'codes-unpredictable',
    numbers.map((number) => String(500_000 + ((number * number * 7_919) % 99_991))),
  ],
  ['the end of the phone', 'codes-unpredictable', numbers.map((number) => `555${1_000 + number}`.slice(-6))],
  ['three digits', 'code-length', numbers.map((number) => String(100 + ((number * 387) % 900)))],
] as const)('codes are judged wrong: %s', (_what, check, codes) => {
  expect(judged(codes)[check]).toBe('fail');
});

test('few codes show nothing', () => {
  expect(judged(['1234', '1234', '1234'])['codes-differ']).toBe('inconclusive');
});

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
  return codeWithZeroConfirms.judge(new JournalView([...entries, ...ended]));
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
