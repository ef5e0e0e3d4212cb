import { expect, test } from 'vitest';
import { createDraw } from '#mis-fixtures/draw.ts';
import { planFaults } from './faults.ts';

const plan = { kills: 20, restarts: 3, cuts: 10, operations: 60_000, hasServer: true };

test('the seed fixes the faults, their order and their times', () => {
  expect(planFaults(plan, createDraw(7))).toEqual(planFaults(plan, createDraw(7)));
  expect(planFaults(plan, createDraw(7))).not.toEqual(planFaults(plan, createDraw(8)));
});

test('every fault that was asked for is planned, within the calls of the run, each kind of restart and cut in turn', () => {
  const faults = planFaults(plan, createDraw(1));
  const count = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
  expect([count('kill'), count('restart-fast'), count('restart-immediate'), count('restart-kill')]).toEqual([
    20, 1, 1, 1,
  ]);
  expect([count('cut-clients'), count('cut-backends'), count('cut-wire')]).toEqual([4, 3, 3]);
  expect(faults.map(({ at }) => at)).toEqual(faults.map(({ at }) => at).sort((a, b) => a - b));
  expect(faults[0]?.at).toBeGreaterThan(0);
  expect(faults.at(-1)?.at).toBeLessThan(60_000);
});

test('without a database server only the clients are cut', () => {
  const faults = planFaults({ ...plan, kills: 0, restarts: 0, hasServer: false }, createDraw(1));
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(['cut-clients']));
});
