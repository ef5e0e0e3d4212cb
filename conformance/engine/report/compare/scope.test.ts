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

/** A check that judges the tokens of all scenarios. `isWrong` tells which of them are wrong. */
function tokens(isWrong: (token: string, all: readonly string[]) => boolean): Check {
  return {
    ...{ id: 'right-tokens', title: 'Tokens are right', requirements: ['4.1-token-unique'] },
    ...{ scenarios: ['one', 'two', 'three'], watchable: false },
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

/** The scenarios in which the check is played again, after it was red in a run with these tokens. */
function again(check: Check, given: Record<string, string>): readonly string[] | undefined {
  const run = { meta, entries: journalOf(given) };
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
  expect(again(short, { one: 'odd', two: 'ill', three: 'off' })).toEqual(short.scenarios);
});

const repeated = tokens((token, all) => all.filter((each) => each === token).length > 1);

test('a fault that no single scenario shows needs all scenarios', () => {
  expect(again(repeated, { one: 'long', two: 'large', three: 'long' })).toEqual(repeated.scenarios);
});

test('a fault between the scenarios that are left out needs all of them', () => {
  const both = tokens((token, all) => token.length < 4 || all.filter((each) => each === token).length > 1);
  expect(again(both, { one: 'long', two: 'odd', three: 'long' })).toEqual(both.scenarios);
});
