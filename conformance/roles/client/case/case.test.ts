import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { makeCase } from '../../../engine/case/make.ts';
import { runScript } from '../../../engine/case/run-script.ts';
import { clientCatalogue } from '../self-test/self-test.ts';
import { cases } from './index.ts';

const { signal } = new AbortController();
const options = { clock: systemClock, seed: 1, signal };

/** Makes the case of a defect, and plays it with the defect and with the right client. */
async function caseOf(id: string) {
  const { references, defects, checks, party: blamed } = clientCatalogue;
  const defect = defects.find((each) => each.id === id);
  const check = checks.find((each) => each.id === defect?.caughtBy);
  const [reference] = references;
  if (!defect || !check || !reference) throw new Error(`There is no defect ${id}.`);
  const party = cases.variant(defect, options);
  const right = { ...cases.variant(reference, options), isAlike: true };
  const made = await makeCase({ check, blamed, party, right, sides: cases.sides, signal });
  const ends = [];
  for (const each of [party, right]) {
    const { env } = await each.stand();
    ends.push(await runScript(made.script, { env, signal }));
  }
  const missing = await runScript(made.script, { env: { CLIENT_FOLDER: '/nowhere' }, signal });
  return { made, ends, missing };
}

test('a case acts as a person, and fails on the defect alone', { timeout: 120_000 }, async () => {
  const { made, ends, missing } = await caseOf('auth-first');
  expect(
    ends.map(({ code }) => code),
    ends.map(({ said }) => said).join(),
  ).toEqual([1, 0]);
  expect(made.script).toContain("{ do: 'logout' }");
  expect(made.calls).toBeLessThanOrEqual(5);
  expect(missing).toEqual({ code: 2, said: expect.stringContaining('it does not start') });
});
