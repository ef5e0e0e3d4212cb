import { expect, test } from 'vitest';
import type { Link } from '#conformance/engine/journal/entry.ts';
import { fakeRun } from '#conformance/engine/report/testing/fake-run.ts';
import { shownIn } from '#conformance/engine/report/testing/pages.ts';
import { sentenceOf } from '#testing/recording/sentence.ts';
import { HANGS } from '#testing/runner/signs-of-life.ts';
import { flows } from '../flows/index.ts';
import { differenceOf, sentenceOf as differenceSentence, rightMessages } from './difference.ts';
import { flowsPage } from './flows-page.ts';
import { causesOf, failureLines, fileRows, type Told, textOf } from './terminal.ts';

const message = (seq: number, link: Link, method: string, outcome = 'ok') => ({ seq, link, method, outcome });
const right = [
  message(1, 'client->auth', 'auth.exchange_token'),
  message(2, 'auth->ehr', 'embedded_storage.save_exchange_token'),
  message(3, 'client->ehr', 'embedded_storage.authenticate'),
];

test('the first differing message is told with what it is in the right flow', () => {
  const refused = [right[0], { ...right[1], outcome: 'not_authorized' }] as typeof right;
  expect(differenceSentence(differenceOf(refused, right) as never)).toBe(
    'message 2 is authorization server to EHR server: embedded_storage.save_exchange_token, answered with not_authorized. In the right flow it is answered with ok.',
  );
  expect(differenceOf(right.slice(0, 2), right)).toEqual({
    seq: undefined,
    text: 'missing. In the right flow it is client to EHR server: embedded_storage.authenticate, answered with ok.',
  });
  expect(differenceOf(right, right.slice(0, 2))?.text).toContain(
    'In the right flow there is no further message.',
  );
  expect(differenceOf(right, right)).toBeUndefined();
});

test('an error is the same with its number alone', () => {
  const read = (outcome: string) => [message(1, 'client->ehr', 'patient.get_patient', outcome)];
  expect(differenceOf(read('error -33000'), read('not_authorized'))).toBeUndefined();
  expect(differenceOf(read('error -33001'), read('not_authorized'))).toBeDefined();
  expect(differenceOf(read('error undefined'), read('ok'))).toBeDefined();
});

test('the messages of every flow are kept', () => {
  const file = 'e2e/flows/flows.test.ts';
  const missing = flows.filter(
    ({ name, sentence }) => !rightMessages({ file, title: `${name}: ${sentence}` }),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('an error of a test runner becomes one sentence, without its own words', () => {
  const vitest = { message: "expected 'a' to be 'b'", actual: 'a', expected: 'b' };
  expect(sentenceOf(vitest)).toBe('It is a; right is b.');
  const reply = {
    ...vitest,
    actual: '{ "error": { "data": { "reason": "not_authorized" } } }',
    expected: '{}',
  };
  expect(sentenceOf(reply)).toBe('It is a refusal as not_authorized; right is {}.');
  const page =
    'expect(locator).toContainText(expected) failed\n\nLocator: getByRole("article")\nExpected substring: "A"\nReceived string: "B"\nTimeout: 5000ms\n\nCall log:\n - more';
  expect(sentenceOf({ message: `Error: ${page}` })).toBe(
    'On the page getByRole("article") is "B"; right is "A".',
  );
  expect(sentenceOf({ message: '\u001b[31mIt went wrong.\u001b[39m\n    at a (b.ts:1:2)' })).toBe(
    'It went wrong.',
  );
});

test('a time-out says that it is one, and of what', () => {
  expect(sentenceOf({ message: 'Test timeout of 1ms exceeded.' })).toBe(HANGS);
  expect(sentenceOf({ message: 'Hook timed out in 480000ms.\nIf this is …' })).toBe(
    'Time-out: a step took longer than 480 s.',
  );
});

const red = (title: string, sentence: string, outcome?: string): Told => ({
  file: 'e2e/flows/flows.test.ts',
  title,
  passed: false,
  seconds: 1,
  failure: {
    sentence,
    difference: outcome === undefined ? undefined : differenceOf([message(1, 'auth->ehr', 'x', outcome)], []),
  },
});

test('one cause is told once; that of the most flows comes first', () => {
  const flowsOfRun = [red('a: 1', 'Token 12 is unknown.'), red('b: 2', 'B.', 'no'), red('c: 3', 'C.', 'no')];
  expect(causesOf(flowsOfRun).map(({ sentence, flows: own }) => [sentence, own.length])).toEqual([
    ['B.', 2],
    ['Token 12 is unknown.', 1],
  ]);
  expect(failureLines(flowsOfRun)).toEqual([
    '',
    '✗ B.',
    expect.stringContaining(
      '    The first differing message: message 1 is authorization server to EHR server: x',
    ),
    '    In 2 flows: b, c',
    '',
    '✗ Token 12 is unknown.',
    '    In 1 flow: a',
  ]);
});

test('a run in which everything fails has at most 60 lines', () => {
  const files = Array.from({ length: 21 }, (_, index) => `e2e/threats/number-${index}.test.ts`);
  const all = files.flatMap((file) =>
    [...'abcdefgh'].map((name) => ({ ...red(`${name}: x`, `${file} ${name}`, `${file} ${name}`), file })),
  );
  const around = 10;
  expect(fileRows(all).length + failureLines(all).length + around).toBeLessThanOrEqual(60);
});

const flowsIn = (page: string) => {
  const shown = shownIn(page);
  if (!('flows' in shown)) throw new Error('This page shows no flows.');
  return shown.flows;
};

test('the page has what failed first, in the words of the other reports', () => {
  const bad = red('second: 2', 'It is <b>; right is ok.', 'no');
  const good = { file: 'e2e/browser/a.spec.ts', title: 'first', passed: true, seconds: 1 };
  const page = flowsIn(flowsPage([good, bad].map((flow) => ({ ...flow, entries: [] }))));
  expect(page.flows.map(({ title }) => title)).toEqual(['second: 2', 'first']);
  expect(page.causes).toEqual([{ lines: textOf(bad.failure as never).split('\n'), flows: [0] }]);
  expect(flowsIn(flowsPage([{ ...good, entries: [] }])).causes).toEqual([]);
});

test('a failed flow names the message in which it differs, if that is shown', () => {
  const { entries } = fakeRun({ crowd: 1 }).run;
  const failure = { sentence: 'It is wrong.', difference: { seq: 3, text: 'x. In the right flow it is y.' } };
  const bad = { ...red('second: 2', 'It is wrong.'), failure };
  const failureOf = (own: typeof entries) => flowsIn(flowsPage([{ ...bad, entries: own }])).flows[0]?.failure;
  const sentence = 'message 3 is x. In the right flow it is y.';
  expect(failureOf(entries)).toEqual({ lines: ['It is wrong.'], differing: { seq: 3, sentence } });
  expect(failureOf([])).toEqual({ lines: ['It is wrong.', `The first differing message: ${sentence}`] });
});
