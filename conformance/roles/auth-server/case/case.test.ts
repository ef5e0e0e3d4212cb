import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { makeCase } from '../../../engine/case/make.ts';
import { Untellable } from '../../../engine/case/told.ts';
import { checks } from '../checks.ts';
import { catalogue } from '../self-test/self-test.ts';
import { cases } from './index.ts';

const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };

function caseOf(id: string) {
  const defect = catalogue.defects.find((each) => each.id === id);
  const check = checks.find((each) => each.id === defect?.caughtBy);
  if (!defect || !check) throw new Error(`There is no defect ${id}.`);
  const shape = defect.shape ?? 'mock';
  const [party, fine] = [defect, { id: shape, title: 'right', shape }].map((each) =>
    cases.variant(each, options),
  );
  if (!party || !fine) throw new Error('Both parties are needed.');
  const right = { ...fine, isAlike: true };
  const made = () =>
    makeCase({ check, blamed: 'auth server', party, right, sides: cases.sides, signal: options.signal });
  return { made, party, right };
}

/** Plays a script as its reader does. */
async function ended(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; said: string }> {
  const folder = temporaryDirectory('case-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'case.mjs');
  writeFileSync(file, script);
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env } });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

test('a case fails on the defect, and holds on a right server', async () => {
  const { made, party, right } = caseOf('logout-of-named-user');
  const { script, calls, told } = await made();
  expect(calls).toBeLessThanOrEqual(4);
  expect(script).toContain(`Expected: ${told.finding.expected}.`);
  for (const [each, code, says] of [
    [party, 1, /^fails: /],
    [right, 0, /^holds\n$/],
  ] as const) {
    const stand = await each.stand();
    const how = await ended(script, stand.env);
    await stand.close();
    expect(how).toEqual({ code, said: expect.stringMatching(says) });
  }
  expect(await ended(script, {})).toEqual({ code: 2, said: expect.stringContaining('nothing answers at') });
});

test('a case has the SMS gateway fail as it did', { timeout: 60_000 }, async () => {
  const { made } = caseOf('carried-sign-gateway-address-told');
  expect((await made()).script).toContain("gateway.set(phone, 'refuses');");
});

test('a check of the output of the server cannot be told as a case', async () => {
  await expect(caseOf('messages-logged').made()).rejects.toThrow(Untellable);
});
