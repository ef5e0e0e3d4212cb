import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { makeCase } from '../../../engine/case/make.ts';
import { runScript } from '../../../engine/case/run-script.ts';
import { runShell } from '../../../engine/case/shell/run-shell.ts';
import { curlFileOf, writeCase } from '../../../engine/cli/commands/case.ts';
import { scoreOfCases } from '../../../engine/cli/commands/self-test/cases.ts';
import { caseRows } from '../../../engine/defects/drawn/cases.ts';
import { roles } from '../../index.ts';
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

test('a case of a server that a file starts has both scripts', { timeout: 120_000 }, async () => {
  const out = join(temporaryFolder(), 'once.mjs');
  const config = 'conformance/examples/plain-ehr-faulty.yaml';
  const asked = { config, role: 'ehr-server', out };
  const said = await writeCase('exchange-token-used-once', asked, roles, signal);
  expect(said).toMatch(/^"second use" is refused \(exchange_token_unknown\)\n/);
  expect(said).toContain(`Play it by: sh ${curlFileOf(out)}`);
  expect(readFileSync(curlFileOf(out), 'utf8')).not.toContain('example-internal-password');
});

test('the self-test tells drawn defects as cases, and counts their calls', { timeout: 120_000 }, async () => {
  const drawing = { drawSeed: 1, sample: 1_000, only: 'user-alone-opens,origin-null-allowed' };
  const rows = await caseRows(ehrCatalogue, cases, { ...options, ...drawing });
  expect(rows.map(({ id }) => id).sort()).toEqual(['origin-null-allowed', 'user-alone-opens']);
  expect(scoreOfCases(rows)).toMatchObject({ ok: true, defects: 2, told: 2 });
});
