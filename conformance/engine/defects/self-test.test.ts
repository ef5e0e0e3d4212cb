import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Check } from '../check/check.ts';
import type { Finding } from '../check/verdict.ts';
import type { Run } from '../journal/run-file.ts';
import { SelfTest } from './self-test.ts';

/** What the only check finds on a party of this id. */
const findings: Record<string, Finding> = {
  'left out': { outcome: 'not applicable', because: 'the file says so' },
  played: { outcome: 'pass', evidence: [1] },
  unclear: { outcome: 'inconclusive', because: 'nothing came', blame: 'client' },
  wrong: {
    outcome: 'fail',
    ...{ expected: 'this', actual: 'that', advice: 'Mend it.', blame: 'client', evidence: [] },
  },
};
const check: Check = {
  ...{ id: 'the-check', title: 'It is so', requirements: ['2.5-phone'], scenarios: [], watchable: false },
  judge: (journal) => findings[journal.observationsOf('party')[0]?.values.id as string] as Finding,
};
const meta = { mode: 'scenarios', finished: true, role: 'client' } as Run['meta'];
const variant = (id: string) => ({ id, title: `A party that is ${id}` });

function rowsOf(reference: string, id: string, mayNotApply: boolean, told: readonly string[] = []) {
  const selfTest = new SelfTest({
    ...{ party: 'client', checks: [check], reference: variant(reference), defects: [] },
    ...{ harmless: [{ ...variant(id), told }], mayNotApply: () => mayNotApply },
    play: async (played) => ({
      meta,
      entries: [
        { kind: 'observation', seq: 1, at: 0, scenario: '', label: 'party', values: { id: played.id } },
      ],
    }),
  });
  const options = { clock: manualClock(), seed: 1, signal: new AbortController().signal };
  return selfTest.rows(options).then((rows) => rows.map(({ ok }) => ok));
}

test.each([
  ['left out', 'played', true, [true, true]],
  ['left out', 'left out', true, [true, true]],
  ['left out', 'wrong', true, [true, false]],
  ['left out', 'played', false, [false, false]],
  ['played', 'played', true, [true, true]],
  ['played', 'left out', true, [true, false]],
  ['wrong', 'played', true, [false, false]],
])(
  'the check is %s on the right party and %s on the variant (%s)',
  async (reference, id, mayNotApply, ok) => {
    expect(await rowsOf(reference, id, mayNotApply)).toEqual(ok);
  },
);

test.each([
  ['wrong', true],
  ['played', false],
  ['left out', false],
  ['unclear', false],
])('a harmless variant that the check must tell is %s', async (id, ok) => {
  expect(await rowsOf('played', id, true, ['the-check'])).toEqual([true, ok]);
});
