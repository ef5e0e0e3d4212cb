import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { makeCase } from '../../../engine/case/make.ts';
import { runScript } from '../../../engine/case/run-script.ts';
import { runShell } from '../../../engine/case/shell/run-shell.ts';
import { scoreOfCases } from '../../../engine/cli/commands/self-test/cases.ts';
import { caseRows } from '../../../engine/defects/drawn/cases.ts';
import { ehrCatalogue } from '../self-test/self-test.ts';
import { INTERNAL } from '../self-test/serve.ts';
import { cases } from './index.ts';

const { signal } = new AbortController();
const options = { clock: systemClock, seed: 1, signal };

/** What a case of this defect is made of, and the right server. */
function partiesOf(id: string) {
  const defect = ehrCatalogue.defects.find((each) => each.id === id);
  const check = ehrCatalogue.checks.find((each) => each.id === defect?.caughtBy);
  if (!defect || !check) throw new Error('There is no such defect.');
  const party = { check, blamed: 'EHR server', party: cases.variant(defect, options) };
  return [party, { ...cases.variant({ id: 'right', title: 'right' }, options), isAlike: true }] as const;
}

test('a case draws its users and tokens, so that it can be repeated', { timeout: 120_000 }, async () => {
  const [party, right] = partiesOf('user-alone-opens');
  const made = await makeCase({ ...party, right, sides: cases.sides, signal });
  expect(made.calls).toBeLessThanOrEqual(4);
  expect(made.script).toMatch(/const exchangeToken = invented\(\d+\);/);
  for (const [each, codes] of [
    [party.party, [1, 1]],
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

test('a script by curl fails on the faulty server alone', { timeout: 120_000 }, async () => {
  const [party, right] = partiesOf('used-token-replies-again');
  const made = await makeCase({ ...party, right, sides: cases.sides, signal, isByCurl: true });
  const script = made.curl && 'script' in made.curl ? made.curl.script : '';
  expect(script, JSON.stringify(made.curl)).toMatch(/^#!\/bin\/sh\n/);
  expect(script).not.toContain(INTERNAL.password);
  for (const [each, code, says] of [
    [party.party, 1, 'fails: '],
    [right, 0, 'holds'],
  ] as const) {
    const stand = await each.stand();
    const ended = await runShell(script, { env: stand.env, signal });
    const lacking = await runShell(script, { env: { ...stand.env, INTERNAL_PASSWORD: '' }, signal });
    await stand.close();
    expect([ended.code, lacking.code], ended.said + lacking.said).toEqual([code, 2]);
    expect(ended.said).toContain(says);
  }
});

test('the self-test tells drawn defects as cases, and counts their calls', { timeout: 120_000 }, async () => {
  const drawing = { drawSeed: 1, sample: 1_000, only: 'user-alone-opens,origin-null-allowed' };
  const rows = await caseRows(ehrCatalogue, cases, { ...options, ...drawing });
  expect(rows.map(({ id }) => id).sort()).toEqual(['origin-null-allowed', 'user-alone-opens']);
  expect(scoreOfCases(rows)).toMatchObject({ ok: true, defects: 2, told: 2 });
});
