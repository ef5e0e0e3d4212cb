import { expect, test } from 'vitest';
import type { Check } from '../../check/check.ts';
import { judge } from '../../check/judge.ts';
import type { Entry } from '../../journal/entry.ts';
import type { RunMeta } from '../../journal/run-file.ts';
import { narrowed } from './scope.ts';

const meta = { mode: 'scenarios', finished: true } as RunMeta;

/** A journal in which each of these scenarios asks for one token. Key: scenario; value: the token. */
const journalOf = (tokens: Record<string, string>): Entry[] =>
  Object.entries(tokens).flatMap(([scenario, token], index): Entry[] => {
    const [first, result] = [4 * index, { kind: 'done' as const, values: { token } }];
    const at = (seq: number) => ({ seq: first + seq, at: first + seq, scenario });
    return [
      { kind: 'scenario', ...at(0), phase: 'begin', alone: true },
      { kind: 'step', ...at(1), user: 'Ann', step: 'exchangeToken', label: 'ask' },
      { kind: 'outcome', ...at(2), step: first + 1, result, took: 0 },
      { kind: 'scenario', ...at(3), phase: 'end' },
    ];
  });

/** More scenarios than a check may have that is always played in all of them. */
const SCENARIOS = ['one', 'two', 'three', ...Array.from({ length: 9 }, (_, index) => `further ${index}`)];

/** A check that judges the tokens of all scenarios. `isWrong` tells which of them are wrong. */
function tokens(isWrong: (token: string, all: readonly string[]) => boolean): Check {
  return {
    ...{ id: 'right-tokens', title: 'Tokens are right', requirements: ['4.1-token-unique'] },
    ...{ scenarios: SCENARIOS, watchable: false },
    judge(journal) {
      const steps = journal.allSteps('exchangeToken');
      const all = steps.map(({ result }) => (result.kind === 'done' ? (result.values.token ?? '') : ''));
      const wrong = steps.filter((_, at) => isWrong(all[at] ?? '', all));
      const evidence = (wrong.length > 0 ? wrong : steps).map(({ step }) => step.seq);
      if (wrong.length === 0) return { outcome: 'pass', evidence };
      const actual = `${wrong.length} of ${all.length} are wrong`;
      return { outcome: 'fail', expected: 'right ones', actual, evidence, blame: 'auth server', advice: '' };
    },
  };
}

/**
 * The scenarios in which the check is played again, after it was red in a run with these tokens. A scenario
 * for which none is given has a right token of its own.
 */
function again(check: Check, given: Record<string, string>): readonly string[] | undefined {
  const own = Object.fromEntries(
    check.scenarios.map((scenario) => [scenario, given[scenario] ?? `token of ${scenario}`]),
  );
  const run = { meta, entries: journalOf(own) };
  const red = judge(run, { checks: [check], party: 'auth server' });
  expect(red[0]?.finding.outcome).toBe('fail');
  return narrowed([check], red, { run, party: 'auth server' })[0]?.scenarios;
}

const short = tokens((token) => token.length < 4);

test('a check of many scenarios is played in those in which it was red', () => {
  expect(again(short, { one: 'long', two: 'odd', three: 'large' })).toEqual(['two']);
  expect(again(short, { one: 'odd', two: 'large', three: 'ill' })).toEqual(['one', 'three']);
});

test('a check that was red in every scenario is played in all', () => {
  const all = Object.fromEntries(SCENARIOS.map((scenario) => [scenario, 'odd']));
  expect(again(short, all)).toEqual(short.scenarios);
});

const repeated = tokens((token, all) => all.filter((each) => each === token).length > 1);

test('a fault that no single scenario shows needs all scenarios', () => {
  expect(again(repeated, { one: 'long', two: 'large', three: 'long' })).toEqual(repeated.scenarios);
});

test('a fault between the scenarios that are left out needs all of them', () => {
  const both = tokens((token, all) => token.length < 4 || all.filter((each) => each === token).length > 1);
  expect(again(both, { one: 'long', two: 'odd', three: 'long' })).toEqual(both.scenarios);
});

test('a check of what scenarios leave to each other needs all of them', () => {
  const left = { ...short, acrossScenarios: true as const };
  expect(again(left, { one: 'long', two: 'odd', three: 'large' })).toEqual(left.scenarios);
});

test('a check of what scenarios leave names those that show it alone', () => {
  const showing = (scenarios: readonly string[]) => ({ ...short, acrossScenarios: () => scenarios });
  expect(again(showing(['three', 'two']), { two: 'odd', three: 'ill' })).toEqual(['two', 'three']);
  expect(again(showing([]), { two: 'odd' })).toEqual(short.scenarios);
});

test('a check of few scenarios is played in all of them', () => {
  const ofFew = { ...short, scenarios: SCENARIOS.slice(0, 10) };
  expect(again(ofFew, { two: 'odd' })).toEqual(ofFew.scenarios);
  expect(again(short, { two: 'odd' })).toEqual(['two']);
});
