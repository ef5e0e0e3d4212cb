import { expect, test } from 'vitest';
import { nameKey } from '#protocol/wire/matching.ts';
import type { StepResult } from '../../../engine/journal/entry.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { causesOf } from '../../../engine/report/causes/causes.ts';
import { FakeJournal } from '../../../engine/report/testing/fake-journal.ts';
import { judge } from '../../judge.ts';
import { ehrDefects } from '../self-test/self-test.ts';
import { playEhr } from '../self-test/serve.ts';
import { racesOfStateFlows } from './at-once.ts';
import { allEhrChecks } from './index.ts';
import { NAMES } from './linking/near-misses.ts';
import { timeFlows } from './sessions/time.ts';

const ID = 'guesses-counted-at-once';
const check = racesOfStateFlows.flatMap(({ checks }) => checks).find(({ id }) => id === ID);

const noMatch = { error: { code: -33000, message: 'No. Incident 41.', data: {} } };
const locked = { error: { code: -33000, message: 'Too many tries.', data: {} } };
const done: StepResult = { kind: 'done', values: {} };
const refused: StepResult = { kind: 'refused', status: 200, code: '-33000' };

function found(inTurn: readonly object[], afterwards: StepResult | undefined, atOnce: readonly object[]) {
  const journal = new FakeJournal();
  const played = (label: string, result: StepResult, reply: object) =>
    journal.step({ user: 'u', step: 'authenticate', label }, result, () =>
      journal.exchange('client->ehr', { body: {}, reply }),
    );
  journal.scenario(ID, () => {
    for (const reply of inTurn) played('a guess in turn', refused, reply);
    if (afterwards) played('the right properties afterwards', afterwards, {});
    for (const reply of atOnce) played('a guess', refused, reply);
  });
  return check?.judge(new JournalView(journal.entries));
}

test('guesses are counted by what the server answers, whatever its codes', () => {
  const [three, endless] = [Array(3).fill(noMatch), Array(20).fill(noMatch)];
  expect(found([...three, locked], undefined, [...three, locked])?.outcome).toBe('pass');
  expect(found([...three, locked], undefined, Array(9).fill(noMatch))).toMatchObject({
    outcome: 'fail',
    actual: '9 were tried, and answered as the first one',
  });
  expect(found(endless, done, [noMatch])).toMatchObject({
    outcome: 'fail',
    actual: 'after 20 of them the right properties open the record',
  });
  expect(found(endless, refused, [noMatch])?.outcome).toBe('not applicable');
});

test.each(['minutes', 'seconds'])('the advice about a ttl in %s names the setting of the file', (unit) => {
  const found = timeFlows.flatMap(({ checks }) => checks).find(({ id }) => id === `ttl-in-${unit}`);
  expect(found?.advice).toContain('ttlUnit');
});

const TOLD = 'replies-tell-nothing-of-others';
const SIGNATURES = 'signature-of-each-link';
const LINKING = [SIGNATURES, 'read-follows-new-link'];

async function judged(id: string, scenarios: readonly string[], ids: readonly string[] = [TOLD, SIGNATURES]) {
  const defect = ehrDefects.find((each) => each.id === id);
  if (!defect) throw new Error(`There is no defect ${id}.`);
  const run = await playEhr(defect, { scenarios });
  const checks = allEhrChecks
    .filter((check) => ids.includes(check.id))
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

test.each([
  ['record-by-phone', 'record-agrees-with-match', 'read-follows-new-link'],
  ['cred-kept-by-connection', 'no-session-no-data', 'cookies-open-nothing'],
])('the cause of %s is told by %s', async (defect, cause, other) => {
  const { run, verdicts } = await judged(defect, [cause, other], [cause, other]);
  expect(causesOf(verdicts, run.entries)).toMatchObject([{ check: cause, checks: [cause, other] }]);
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

test('a near miss is one for servers with and without folding of signs', () => {
  const names = [
    "O'Keefe",
    'O\u2019Keefe',
    'Anne-Marie',
    'Anne\u2011Marie',
    "D'",
    'Anna\u200b',
    '\u202aAnna\u202c',
  ];
  for (const name of names) {
    const person = { name, surname: name, date: '1985-04-12', phone: '79990000001' };
    const properties = { name, surname: name };
    for (const [label, change] of Object.entries(NAMES)) {
      const typed = change(properties, person);
      const isMissed = ['name', 'surname'].some((member) => nameKey(String(typed[member])) !== nameKey(name));
      expect([name, label, isMissed]).toEqual([name, label, true]);
    }
  }
});
