import { expect, test } from 'vitest';
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { exchange, playedStep } from '../journal/testing/exchanges.ts';
import { JournalView, type PlayedStep } from '../journal/view.ts';
import { type Rule, rule } from './rule.ts';
import { MAX_EVIDENCE } from './verdict.ts';

const ABOUT = {
  ...{ id: 'a-rule', title: 'A rule', party: 'auth server', advice: 'Mend it.' },
  requirements: ['4.1-params'],
  scenarios: ['one', { id: 'two' }],
} as const;

const OF_CALLS = {
  ...ABOUT,
  of: (journal: JournalView) => journal.exchanges('auth->ehr'),
  nothing: { unclear: 'no call was sent' },
  expected: 'POST',
  wrong: ({ request: { method } }: ExchangeEntry) => method !== 'POST' && `it is ${method}`,
} as const;

const call = (seq: number, method = 'POST'): Entry =>
  exchange(seq, { link: 'auth->ehr', request: { ...exchange(1).request, method } });

const found = (definition: Partial<Rule<ExchangeEntry>>, ...entries: Entry[]) =>
  rule({ ...OF_CALLS, ...definition } as Rule<ExchangeEntry>).judge(new JournalView(entries));

test('a rule has the ids of its scenarios, watched where it says so', () => {
  expect(rule(OF_CALLS)).toMatchObject({ scenarios: ['one', 'two'], watchable: false });
  expect(rule({ ...OF_CALLS, watchable: true })).toMatchObject({ watchable: true });
});

test('a fault says what is wrong, how often, and shows the messages that are', () => {
  expect(found({}, call(1, 'GET'), call(2), call(3, 'PUT'), call(4, 'GET'))).toEqual({
    ...{ outcome: 'fail', blame: 'auth server', advice: 'Mend it.', expected: 'POST' },
    actual: 'it is GET; it is PUT (3 of 4 messages)',
    evidence: [1, 3, 4],
  });
  const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'].map((name, seq) => call(seq, name));
  const fault = found({ explains: ['other'] }, ...many);
  expect(fault).toMatchObject({
    actual: 'it is A; it is B; it is C; it is D; … (9 of 9 messages)',
    explains: ['other'],
  });
  expect(fault).toHaveProperty('evidence.length', MAX_EVIDENCE);
});

test('a step that is wrong is named with its scenario', () => {
  const steps = rule({
    ...ABOUT,
    of: (journal) => journal.allSteps(),
    nothing: { unclear: 'no step' },
    expected: 'a sign-in',
    wrong: (played: PlayedStep) => played.step.label === 'later' && 'it is late',
  });
  const entries = ['now', 'later'].flatMap((label, at) => playedStep(10 * at, { scenario: 'one', label }));
  expect(steps.judge(new JournalView(entries))).toMatchObject({
    actual: 'it is late, after "later" of one (1 of 2 steps)',
  });
});

test('where nothing was selected the rule says what that means', () => {
  expect(found({})).toMatchObject({ outcome: 'inconclusive', because: 'no call was sent' });
  const nothing = ({ entries }: JournalView) => ({ notApplicable: `only ${entries.length} entries` });
  expect(found({ nothing })).toEqual({ outcome: 'not applicable', because: 'only 0 entries' });
});

test('without its control a rule passes nothing, and a fault counts all the same', () => {
  const control = () => ({ unclear: 'no call was accepted' });
  expect(found({ control: () => undefined }, call(1))).toEqual({ outcome: 'pass', evidence: [1] });
  expect(found({ control }, call(1))).toMatchObject({ outcome: 'inconclusive' });
  expect(found({ control }, call(1, 'GET'))).toMatchObject({ outcome: 'fail' });
});

test('a judge sees all at once, and its fault counts where nothing was selected', () => {
  const judged = (...entries: Entry[]) =>
    rule({
      ...ABOUT,
      of: OF_CALLS.of,
      nothing: OF_CALLS.nothing,
      judge: (all, { entries }) =>
        all.length === entries.length ? undefined : { expected: 'calls', actual: 'others', shownBy: [] },
    }).judge(new JournalView(entries)).outcome;
  expect(judged(call(1))).toBe('pass');
  expect(judged()).toBe('inconclusive');
  expect(judged(exchange(1))).toBe('fail');
});
