import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { makeCase } from '../../../engine/case/make.ts';
import { runScript } from '../../../engine/case/run-script.ts';
import { scoreOfCases } from '../../../engine/cli/commands/self-test/cases.ts';
import { caseRows } from '../../../engine/defects/drawn/cases.ts';
import { ehrCatalogue } from '../self-test/self-test.ts';
import { cases } from './index.ts';

const { signal } = new AbortController();
const options = { clock: systemClock, seed: 1, signal };

test('a case draws its users and tokens, so that it can be repeated', { timeout: 120_000 }, async () => {
  const defect = ehrCatalogue.defects.find(({ id }) => id === 'user-alone-opens');
  const check = ehrCatalogue.checks.find(({ id }) => id === defect?.caughtBy);
  if (!defect || !check) throw new Error('There is no such defect.');
  const party = cases.variant(defect, options);
  const right = { ...cases.variant({ id: 'right', title: 'right' }, options), isAlike: true };
  const made = await makeCase({ check, blamed: 'EHR server', party, right, sides: cases.sides, signal });
  expect(made.calls).toBeLessThanOrEqual(4);
  expect(made.script).toMatch(/const exchangeToken = invented\(\d+\);/);
  for (const [each, codes] of [
    [party, [1, 1]],
    [right, [0, 0]],
  ] as const) {
    const stand = await each.stand();
    // Twice at one server: it keeps the tokens of the first time, and no link.
    const first = await runScript(made.script, { env: stand.env, signal });
    const second = await runScript(made.script, { env: stand.env, signal });
    await stand.close();
    expect([first.code, second.code], first.said + second.said).toEqual(codes);
  }
});

test('the self-test tells drawn defects as cases, and counts their calls', { timeout: 120_000 }, async () => {
  const drawing = { drawSeed: 1, sample: 1_000, only: 'user-alone-opens,origin-null-allowed' };
  const rows = await caseRows(ehrCatalogue, cases, { ...options, ...drawing });
  expect(rows.map(({ id }) => id).sort()).toEqual(['origin-null-allowed', 'user-alone-opens']);
  expect(scoreOfCases(rows)).toMatchObject({ ok: true, defects: 2, told: 2 });
});
