import { expect, test } from 'vitest';
import { scoreOfReruns } from './reruns.ts';

const row = (...disagreements: string[]) => ({ id: 'a', red: 3, scenarios: 2, disagreements });

const whole = { others: undefined, all: 10 };

test('one rerun that disagrees fails the self-test', () => {
  expect(scoreOfReruns([row(), row()], whole)).toMatchObject({ ok: true, agreed: 2, red: 6, played: 4 });
  expect(scoreOfReruns([row(), row('it differs')], whole)).toMatchObject({ ok: false, runs: 2, agreed: 1 });
  expect(scoreOfReruns([], whole).ok).toBe(false);
});

test('the sentence says what the first runs played', () => {
  expect(scoreOfReruns([row()], whole).sentence).toMatch(/^Of 1 whole runs with one defect/);
  const few = { others: 5, all: 10 };
  expect(scoreOfReruns([row()], few).sentence).toContain('the scenarios of one check and 5 drawn ones');
});
