import { expect, test } from 'vitest';
import { causesOf } from '../../../../engine/report/causes/causes.ts';
import { narrowed } from '../../../../engine/report/compare/scope.ts';
import { judge } from '../../../judge.ts';
import { ehrDefects } from '../../defects/index.ts';
import { playEhr } from '../../self-test/play.ts';
import { allEhrChecks, ehrScenarios } from '../index.ts';

const TOLD = 'replies-tell-nothing-of-others';
const SIGNATURES = 'signature-of-each-link';
/** Two scenarios in each of which two users link one patient, one after the other. */
const LINKING = [SIGNATURES, 'signature-of-each-user'];

/** Plays a defect in these scenarios, and judges it by the check of all replies and that of signatures. */
async function judged(id: string, scenarios: readonly string[]) {
  const defect = ehrDefects.find((each) => each.id === id);
  if (!defect) throw new Error(`There is no defect ${id}.`);
  const run = await playEhr(defect, { scenarios });
  const checks = allEhrChecks
    .filter((check) => check.id === TOLD || check.id === SIGNATURES)
    .map((check) => ({ ...check, scenarios: check.scenarios.filter((each) => scenarios.includes(each)) }))
    .filter((check) => check.scenarios.length > 0);
  const verdicts = judge(run, { checks });
  const [told] = allEhrChecks.filter((check) => check.id === TOLD);
  const again = narrowed(told ? [told] : [], verdicts, { run, party: 'EHR server' });
  return { run, verdicts, again: again[0]?.scenarios };
}

test('signatures that several users have are one cause with the check of signatures', async () => {
  const { run, verdicts, again } = await judged('signature-of-patient-for-all', LINKING);
  const [told] = verdicts.filter(({ check }) => check === TOLD);
  expect(told?.finding).toMatchObject({
    outcome: 'fail',
    actual: expect.stringMatching(/^the user_sign of another user \(at "[^"]+"\) \(2 times\)$/),
  });
  expect(causesOf(verdicts, run.entries)).toMatchObject([{ check: SIGNATURES, checks: [SIGNATURES, TOLD] }]);
  expect(again).toEqual(LINKING);
});

test('other values that are told keep the advice about replies', async () => {
  const { verdicts, again } = await judged('holder-named-for-token', [
    'token-unique-across-users',
    'exchange-token-used-once',
  ]);
  expect(verdicts[0]?.finding).toMatchObject({
    outcome: 'fail',
    advice: expect.stringContaining('into a reply'),
  });
  // The user whom the refusal names is one of an earlier scenario: then all are played again.
  expect([1, ehrScenarios.length]).toContain(again?.length);
});
