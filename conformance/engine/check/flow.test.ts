import { expect, test } from 'vitest';
import { JournalView } from '../journal/view.ts';
import { bound, type CheckDefinition } from './flow.ts';
import type { Fault } from './steps.ts';

const FAULT: Fault = { expected: 'a refusal', actual: 'it succeeded', shownBy: [] };

/** The finding of a check that explains others, where its judge finds this. */
function findingOf(found: Fault | undefined) {
  const about = { id: 'read', title: 'A read is refused', requirements: ['4.4-record-and-sign'] } as const;
  const definition = { ...about, settled: () => found, explains: ['save'], advice: 'Refuse it.' };
  const role = { party: 'EHR server', leftOut: 'inconclusive', done: { judge: () => undefined } } as const;
  return bound(definition as unknown as CheckDefinition, 'read', role).judge(new JournalView([]));
}

test('a failure names the checks that it explains, a pass none', () => {
  expect(findingOf(FAULT)).toMatchObject({ outcome: 'fail', explains: ['save'] });
  expect(findingOf(undefined)).toEqual({ outcome: 'pass', evidence: [] });
});

test('a fault that names what it explains itself is not overruled', () => {
  expect(findingOf({ ...FAULT, explains: ['link'] })).toMatchObject({ explains: ['link'] });
});
