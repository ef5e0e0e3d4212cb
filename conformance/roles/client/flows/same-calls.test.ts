import { expect, test } from 'vitest';
import type { Entry } from '../../../engine/journal/entry.ts';
import { exchange, playedStep, request } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { sameCallsFlows } from './same-calls.ts';

const ROUNDS = ['the first patient', 'another patient', 'the first patient again'];
const TIMED_OUT = { kind: 'failed', what: 'timeout', detail: 'no answer' } as const;

/** Finds in a run whose rounds each make a call with this note, or none; a step after them fails. */
function foundIn(notes: readonly (string | undefined)[]) {
  const scenario = 'same-calls-for-each-patient';
  const entries = notes.flatMap((note, at): Entry[] => {
    const seq = 10 * at + 1;
    const [step, outcome] = playedStep(seq, { scenario, label: ROUNDS[at] ?? '' });
    const asked = request({ body: JSON.stringify({ method: 'auth.exchange_token', note }) });
    const call = exchange(seq + 1, { scenario, step: seq, request: asked });
    return [step, ...(note === undefined ? [] : [call]), { ...outcome, seq: seq + 2, at: seq + 2 } as Entry];
  });
  const failed = playedStep(90, { scenario, label: `${ROUNDS[2]}: logs out` }, TIMED_OUT);
  const begun: Entry = { kind: 'scenario', seq: 0, at: 0, scenario, phase: 'begin' };
  const ended: Entry = { kind: 'scenario', seq: 99, at: 99, scenario, phase: 'end' };
  const [check] = sameCallsFlows.flatMap(({ checks }) => checks);
  return check?.judge(new JournalView([begun, ...entries, ...failed, ended])).outcome;
}

test('after a step that was not done only calls of every round are compared', () => {
  expect(foundIn(['one', 'another', 'one'])).toBe('fail');
  expect(foundIn(['one', undefined, 'one'])).toBe('inconclusive');
  expect(foundIn(['one', 'one', 'one'])).toBe('inconclusive');
});
