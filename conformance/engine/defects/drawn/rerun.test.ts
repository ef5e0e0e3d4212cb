import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import type { Check } from '../../check/check.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import type { Asked } from '../catalogue.ts';
import { rerunRows } from './rerun.ts';

const meta = { mode: 'scenarios', finished: true, role: 'client' } as Run['meta'];
const SCENARIOS: readonly string[] = ['one', 'two'];

/** A check of a scenario, which finds the fault that the journal notes there. */
const checkOf = (scenario: string): Check => ({
  ...{ id: `check-${scenario}`, title: 'It is so', requirements: ['2.5-phone'] },
  ...{ scenarios: [scenario], watchable: false },
  judge(journal) {
    const evidence = [1];
    const actual = journal.observations({ scenario, label: 'fault' })[0]?.values.actual;
    if (typeof actual !== 'string') return { outcome: 'pass', evidence };
    return { outcome: 'fail', expected: 'no fault', actual, evidence, blame: 'client', advice: 'Mend it.' };
  },
});

/** The fault of a party in a scenario; `played` has the ids of all scenarios of the run. */
type FaultOf = (scenario: string, played: readonly string[]) => string | undefined;

/** Compares for a party with this fault. */
function rowsOf(faultOf: FaultOf, right: FaultOf = () => undefined, others?: number) {
  const defect = { id: 'wrong', title: 'It is wrong', caughtBy: 'check-two' };
  const catalogue = {
    ...{ party: 'client' as const, checks: SCENARIOS.map(checkOf), harmless: [], mayNotApply: () => false },
    ...{ references: [{ id: 'right', title: 'It is right' }], defects: [defect] },
    play: async ({ id }: { id: string }, _options: unknown, { scenarios = SCENARIOS }: Asked) => ({
      meta,
      entries: scenarios.flatMap((scenario, at): Entry[] => {
        const actual = (id === 'right' ? right : faultOf)(scenario, scenarios);
        const first = { seq: 3 * at + 1, at: 0, scenario };
        return [
          { ...first, kind: 'scenario', phase: 'begin', alone: true },
          ...(actual === undefined
            ? []
            : [
                {
                  ...first,
                  seq: first.seq + 1,
                  kind: 'observation' as const,
                  label: 'fault',
                  values: { actual },
                },
              ]),
          { ...first, seq: first.seq + 2, kind: 'scenario', phase: 'end' },
        ];
      }),
    }),
  };
  const signal = new AbortController().signal;
  return rerunRows(catalogue, { clock: systemClock, seed: 1, signal, drawSeed: 1, sample: 5, others });
}

test('a defect that its scenario alone shows agrees', async () => {
  expect(await rowsOf((scenario) => (scenario === 'two' ? 'that' : undefined))).toEqual([
    { id: 'wrong', red: 1, scenarios: 1, disagreements: [] },
  ]);
});

test('a defect that another scenario leaves behind disagrees', async () => {
  const afterOne: FaultOf = (scenario, played) =>
    scenario === 'two' && played.includes('one') ? 'that' : undefined;
  const [row] = await rowsOf(afterOne);
  expect(row?.disagreements).toEqual(['check-two: fixed, was fail: that; now pass']);
});

test('a right party that fails without the other scenarios disagrees', async () => {
  const alone: FaultOf = (_scenario, played) => (played.length === 1 ? 'that' : undefined);
  const [row] = await rowsOf((scenario) => (scenario === 'two' ? 'that' : undefined), alone);
  expect(row?.disagreements).toEqual(['check-two: not fixed on the right party, but fail: that']);
});

test('a defect of which nothing is red proves nothing', async () => {
  expect(await rowsOf(() => undefined)).toMatchObject([
    { red: 0, disagreements: [expect.stringContaining('nothing is red')] },
  ]);
});

test('a defect that scenarios hide from its check is sought in the whole run', async () => {
  const hidden: FaultOf = (scenario, all) => (scenario === 'two' && all.length > 1 ? 'that' : undefined);
  const played: number[] = [];
  const noting: FaultOf = (scenario, all) => {
    played.push(all.length);
    return hidden(scenario, all);
  };
  const [row] = await rowsOf(noting, undefined, 0);
  expect(row?.red).toBe(1);
  expect(played).toEqual([1, 2, 2, 1]);
});

test('a defect that another scenario alters counts as found again', async () => {
  const altered: FaultOf = (scenario, all) =>
    scenario === 'two' ? `that of ${'x'.repeat(all.length)}` : undefined;
  expect(await rowsOf(altered)).toMatchObject([{ red: 1, disagreements: [] }]);
});

test('without other scenarios only those of the check are played', async () => {
  const played: (readonly string[])[] = [];
  const noting: FaultOf = (scenario, all) => {
    played.push(all);
    return scenario === 'two' ? 'that' : undefined;
  };
  expect(await rowsOf(noting, undefined, 0)).toMatchObject([{ red: 1, disagreements: [] }]);
  expect(played).toEqual([['two'], ['two']]);
});
