import { expect, test } from 'vitest';
import type { Entry, StepResult } from '../../../../engine/journal/entry.ts';
import { playedStep } from '../../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../../engine/journal/view.ts';
import { asGet } from './as-get.ts';

const scenario = asGet.id;
const done: StepResult = { kind: 'done', values: {} };
const refused: StepResult = { kind: 'refused', status: 401 };

/** Says what is found where a logout by GET stands between two requests for an exchange token. */
function said(after: StepResult, ofNewcomer?: StepResult) {
  const steps: [label: string, result: StepResult][] = [
    ['exchange token by POST', done],
    ['logout by GET', refused],
    ['exchange token after logout by GET', after],
    ...(ofNewcomer
      ? [['exchange token of a newcomer after logout by GET', ofNewcomer] satisfies [string, StepResult]]
      : []),
  ];
  const played = steps.flatMap(([label, result], index) =>
    playedStep(10 * index + 1, { scenario, step: 'exchangeToken', label }, result),
  );
  const values = { isChanged: true, isDone: false };
  const noted: Entry = { kind: 'observation', seq: 100, at: 3, scenario, label: 'logout by GET', values };
  return asGet.checks[0]?.judge(new JournalView([...played, noted]))?.outcome;
}

test('a logout by GET that ends the session alone is a fault', () => {
  expect(said(done)).toBe('pass');
  expect(said(refused)).toBe('fail');
  expect(said(refused, done)).toBe('fail');
});

test('a server that refuses newcomers alike shows no ended session', () => {
  expect(said(refused, refused)).toBe('inconclusive');
});
