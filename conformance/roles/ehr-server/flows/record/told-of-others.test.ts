import { expect, test } from 'vitest';
import { causesOf } from '../../../../engine/report/causes/causes.ts';
import { judge } from '../../../judge.ts';
import { ehrDefects } from '../../defects/index.ts';
import { playEhr } from '../../self-test/play.ts';
import { allEhrChecks } from '../index.ts';

const TOLD = 'replies-tell-nothing-of-others';
const SIGNATURES = 'signature-of-each-link';
const LINKING = [SIGNATURES, 'read-follows-new-link'];

async function judged(id: string, scenarios: readonly string[]) {
  const defect = ehrDefects.find((each) => each.id === id);
  if (!defect) throw new Error(`There is no defect ${id}.`);
  const run = await playEhr(defect, { scenarios });
  const checks = allEhrChecks
    .filter((check) => check.id === TOLD || check.id === SIGNATURES)
    .map((check) => ({ ...check, scenarios: check.scenarios.filter((each) => scenarios.includes(each)) }))
    .filter((check) => check.scenarios.length > 0);
  return { run, verdicts: judge(run, { checks }) };
}

test('signatures that several users have are one cause with the check of signatures', async () => {
  const { run, verdicts } = await judged('signature-of-patient-for-all', LINKING);
  const [told] = verdicts.filter(({ check }) => check === TOLD);
  expect(told?.finding).toMatchObject({
    outcome: 'fail',
    actual: expect.stringMatching(/^the user_sign of another user \(at "[^"]+"\) \(2 times\)$/),
  });
  expect(causesOf(verdicts, run.entries)).toMatchObject([{ check: SIGNATURES, checks: [SIGNATURES, TOLD] }]);
});

test('other values that are told keep the advice about replies', async () => {
  const { verdicts } = await judged('holder-named-for-token', [
    'token-unique-across-users',
    'exchange-token-used-once',
  ]);
  expect(verdicts[0]?.finding).toMatchObject({
    outcome: 'fail',
    advice: expect.stringContaining('into a reply'),
  });
});
