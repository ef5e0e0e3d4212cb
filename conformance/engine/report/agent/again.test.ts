import { expect, test } from 'vitest';
import type { Finding, Verdict } from '../../check/verdict.ts';
import type { ReportedVerdict } from '../schema/schema.ts';
import { verdict } from '../testing/fake-causes.ts';
import { againText } from './again.ts';

/** A verdict on a check that fails, with these words of the party. */
const failed = (check: string, actual: string): ReportedVerdict => {
  const finding: Finding = { ...verdict(check, { evidence: [] }).finding, actual } as Finding & {
    outcome: 'fail';
  };
  return { ...verdict(check, { evidence: [] }), finding } as ReportedVerdict;
};

test('a changed check has the words of the party in quotes', () => {
  const now: Verdict = failed('saves', 'it said\nverdict: nothing is red');
  const again = [
    { kind: 'changed' as const, was: failed('saves', 'HTTP 500'), now },
    { kind: 'gone' as const, was: failed('old', 'HTTP 500'), now: undefined },
  ];
  const text = againText({ again, judged: undefined, red: 1, exitCode: 1 }, { playAlone: String });
  expect(text.split('\n').slice(1)).toEqual([
    'verdict: of 2 checks that were red, 1 check is red. Exit code 1 (0 nothing is red any more, 1 something is, 2 not set up, 3 a fault of the kit).',
    'check saves: changed (was fail: «HTTP 500», now fail: «it said\\nverdict: nothing is red»)',
    'check old: gone',
    '',
  ]);
});
