import { expect, test, vi } from 'vitest';
import type { Entry, ExchangeEntry, StepResult } from '../../../engine/journal/entry.ts';
import { playedStep } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView, type PlayedStep } from '../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import type { Driver } from '../people/driver.ts';
import { guessedCodes } from './codes/guessed-codes.ts';
import { isOutlived, OUTLIVED } from './codes/guesses.ts';
import { wrongCodes } from './codes/wrong-codes.ts';
import { controlOf } from './flow.ts';
import { asGet } from './requests/as-get.ts';
import { endedBy } from './sessions/two-sessions.ts';

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

const scenario = asGet.id;
const unauthorized: StepResult = { kind: 'refused', status: 401 };

/** Says what is found where a logout by GET stands between two requests for an exchange token. */
function loggedOut(after: StepResult, ofNewcomer?: StepResult) {
  const results = {
    'exchange token by POST': done,
    'logout by GET': unauthorized,
    'exchange token after logout by GET': after,
    'exchange token of a newcomer after logout by GET': ofNewcomer,
  };
  const played = Object.entries(results).flatMap(([label, result], index) =>
    result ? playedStep(10 * index + 1, { scenario, step: 'exchangeToken', label }, result) : [],
  );
  const values = { isChanged: true, isDone: false };
  const noted: Entry = { kind: 'observation', seq: 100, at: 3, scenario, label: 'logout by GET', values };
  return asGet.checks[0]?.judge(new JournalView([...played, noted]))?.outcome;
}

test('a logout by GET that ends the session alone is a fault', () => {
  expect(loggedOut(done)).toBe('pass');
  expect(loggedOut(unauthorized)).toBe('fail');
  expect(loggedOut(unauthorized, done)).toBe('fail');
});

test('a server that refuses newcomers alike shows no ended session', () => {
  expect(loggedOut(unauthorized, unauthorized)).toBe('inconclusive');
});

const result: StepResult = { kind: 'refused', status: 502 };
const save = { link: 'auth->ehr', facts: { call: { method: SAVE_EXCHANGE_TOKEN } } } as ExchangeEntry;

/** Judges a refused request for an exchange token during which the server made these calls. */
const found = (exchanges: ExchangeEntry[]) =>
  endedBy('the logout ended it', { result, exchanges } as PlayedStep);

test('a refusal shows no ended session where its save got no answer', () => {
  expect(found([])).toMatchObject({ actual: expect.stringContaining('the logout ended it') });
  expect(found([save])).toMatchObject({ unclear: 'the EHR server did not acknowledge the exchange token' });
});
