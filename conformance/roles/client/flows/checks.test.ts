import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import { withMethod } from '../../../engine/check/testing/copies.ts';
import { brokenChecks } from '../../../engine/check/testing/findings.ts';
import { readRun } from '../../../engine/journal/input-file.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { commandsBelow, runCli } from '../../../testing/cli.ts';
import { judge } from '../../judge.ts';
import { screens } from '../drivers/driver.ts';
import { judged as role } from '../judged.ts';
import { clientCatalogue, playClient, showing } from '../self-test/self-test.ts';
import { allClientChecks } from './index.ts';

/** Eight times the minute that a run of all scenarios takes on a busy machine. */
const TIMEOUT_MS = 480_000;

/** The run of the right client, played once by the first command for clients of docs/judge.md. */
let run: Run;
const directory = mkdtempSync(join(tmpdir(), 'checks-'));
afterAll(() => rmSync(directory, { recursive: true }));
beforeAll(async () => {
  const [command = []] = commandsBelow('Client');
  expect(command).toEqual(['client', '--config', 'conformance/examples/plain-client.yaml']);
  const { code, output } = await runCli(...command, '--report', directory);
  expect(output).toMatch(/^Interface +conformant \(/m);
  expect(code, output).toBe(0);
  run = readRun(join(directory, 'run.json'));
}, TIMEOUT_MS);

const mayNotApply = (id: string) => clientCatalogue.mayNotApply(id);

test('the right client passes every check that applies to it', () => {
  const red = judge(run).filter(
    ({ check, outcome }) => outcome !== (mayNotApply(check) ? 'not applicable' : 'pass'),
  );
  expect(red.map(({ check, finding }) => ({ check, finding }))).toEqual([]);
});

test('a method with the name of an inherited member breaks no check', () => {
  for (const method of ['constructor', '__proto__'])
    expect(brokenChecks(judge({ ...run, entries: withMethod(method, run.entries) }))).toEqual([]);
});

test('every requirement on a client is judged, or has a reason why not', () => {
  const { notJudged = {} } = role;
  const judged = new Set<string>(allClientChecks.flatMap((check) => check.requirements));
  const rows = requirements.filter(
    (row) => [row.party].flat().includes('client') && row.source !== 'decision',
  );
  const open = rows.filter(({ id }) => !judged.has(id) && !(id in notJudged));
  expect(open.map(({ id }) => id)).toEqual([]);
  expect(Object.keys(notJudged).filter((id) => judged.has(id))).toEqual([]);
});

test.each(screens)(
  'a client that calls nobody and shows the screen %s at once passes nothing',
  async (sees) => {
    const command = showing({ sees, text: 'All is well with you.', patient: {} });
    const played = await playClient({ command });
    const passed = judge(played, { checks: allClientChecks }).filter(({ outcome }) => outcome === 'pass');
    expect(passed.map(({ check }) => check)).toEqual([]);
  },
  TIMEOUT_MS,
);
