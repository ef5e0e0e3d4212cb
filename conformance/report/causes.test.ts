import { expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import type { Verdict } from '../verdict.ts';
import { CAUSES_OF_REFUSALS, causeOf, causesOf, FOLLOWS_FROM } from './causes.ts';
import { FakeJournal } from './testing/fake-journal.ts';

const SAVE = 'embedded_storage.save_auth_info';
const call = { method: SAVE, idType: 'string', jsonrpc: '2.0', params: {} };
const REFUSED = { call, reply: { result: false, code: -33000, reason: 'not_authorized' } };

function verdict(check: string, finding: Partial<Verdict['finding']> & { outcome: 'fail' | 'inconclusive' | 'pass' }) {
  const about = { check, title: `${check} holds`, level: 'MUST', requirements: [], scenarios: ['first-link'] };
  const more = { expected: 'x', actual: 'the digest is over nothing', because: 'no reason', evidence: [], advice: '' };
  return { ...about, outcome: finding.outcome, finding: { blame: 'auth server', ...more, ...finding } } as Verdict;
}

/** A scenario that stops because the save of a session is refused, and with it the step. */
function refusedSave() {
  const journal = new FakeJournal();
  let save = 0;
  let step: number[] = [];
  const stopped = { because: 'the step "link: report" ought to succeed and did not', blame: 'auth server' } as const;
  journal.scenario(
    'first-link',
    () => {
      step = journal.step(
        { user: 'Ann', step: 'reportLink', label: 'link: report' },
        { kind: 'refused', status: 400 },
        () =>
          journal.exchange('client->auth', {
            inner: () => {
              save = journal.exchange('auth->ehr', { facts: REFUSED, reply: {} });
            },
          }),
      );
    },
    { stopped },
  );
  const entries = journal.entries
    .map((entry) => (entry.kind === 'scenario' && entry.phase === 'begin' ? { ...entry, alone: true as const } : entry))
    .sort((a, b) => a.seq - b.seq);
  return { entries, save, step, because: stopped.because };
}

test('a refused call, the step that failed by it and what never came after it have one cause: the wrong digest', () => {
  const { entries, save, step, because } = refusedSave();
  const verdicts = [
    verdict('link-recorded', { outcome: 'fail', evidence: step }),
    verdict('calls-accepted', { outcome: 'fail', evidence: [save] }),
    verdict('user-sign-digest', { outcome: 'fail', evidence: [save] }),
    verdict('returning-user-reads-record', { outcome: 'inconclusive', because }),
    verdict('used-code-refused', { outcome: 'fail', evidence: [1] }),
    verdict('digest-order', { outcome: 'pass' }),
  ];
  expect(causesOf(verdicts, entries)).toEqual([
    {
      cause: '"user-sign-digest holds" does not hold: the digest is over nothing',
      check: 'user-sign-digest',
      checks: ['user-sign-digest', 'link-recorded', 'calls-accepted', 'returning-user-reads-record'],
    },
    {
      cause: '"used-code-refused holds" does not hold: the digest is over nothing',
      check: 'used-code-refused',
      checks: ['used-code-refused'],
    },
  ]);
});

test('a call that was refused on purpose, or for another fault, has no part in it', () => {
  const { entries, save, step } = refusedSave();
  const digest = verdict('user-sign-digest', { outcome: 'fail', evidence: [save] });
  const told = verdict('save-told-reset', { outcome: 'fail', evidence: step });
  const onPurpose = entries.map((entry) => (entry.seq === save ? { ...entry, fault: 'refuse' as const } : entry));
  expect(causesOf([digest, told], onPurpose).map(({ checks: names }) => names)).toEqual([
    ['user-sign-digest'],
    ['save-told-reset'],
  ]);
  const inClear = verdict('secrets-not-in-clear', { outcome: 'fail', evidence: [save] });
  expect(causesOf([inClear, told], entries)).toHaveLength(2);
});

test('what could not be judged for the same reason has one cause, which names the scenario that stopped', () => {
  const { entries, because } = refusedSave();
  const other = { outcome: 'inconclusive', because: 'nobody was signed in' } as const;
  const verdicts = [
    verdict('a', { outcome: 'inconclusive', because }),
    verdict('b', other),
    verdict('c', { outcome: 'inconclusive', because }),
    verdict('d', other),
  ];
  expect(causesOf(verdicts, entries)).toEqual([
    { cause: `the scenario first-link could not go on: ${because}`, checks: ['a', 'c'] },
    { cause: 'nobody was signed in', checks: ['b', 'd'] },
  ]);
});

test('what failed while the server under test was down has its end as the cause', () => {
  const journal = new FakeJournal();
  const seen: number[][] = [];
  const down = { kind: 'failed', what: 'unreachable', detail: 'connection refused' } as const;
  journal.scenario('crowd', () => {
    for (const user of ['Ann', 'Bea']) seen.push(journal.step({ user, step: 'exchangeToken', label: 'token' }, down));
  });
  const died = { kind: 'server', seq: 1, at: 0, event: 'died', ended: 'ended with exit code 1' } as const;
  const entries = [died, ...journal.entries.map((entry) => ({ ...entry, seq: entry.seq + 1 }))].map((entry) =>
    entry.kind === 'outcome' ? { ...entry, step: entry.step + 1 } : entry,
  );
  const verdicts = seen.map((evidence, index) =>
    verdict(`check-${index}`, { outcome: 'fail', evidence: evidence.map((seq) => seq + 1) }),
  );
  expect(causesOf(verdicts, entries)).toEqual([
    { cause: 'the server under test ended with exit code 1', checks: ['check-0', 'check-1'] },
  ]);
});

test('a session that goes on after its logout is one cause, however often it shows', () => {
  const verdicts = ['logged-out-session-not-saved', 'logged-out-session-refused'].map((check) =>
    verdict(check, { outcome: 'fail' }),
  );
  const causes = causesOf(verdicts, []);
  expect(causes).toMatchObject([{ check: 'logged-out-session-refused' }]);
  expect(causeOf('logged-out-session-not-saved', causes)).toBe(causes[0]);
  expect(causeOf('logged-out-session-refused', causes)).toBeUndefined();
});

test('the table of what follows from what names checks that there are, and goes round in no circle', () => {
  const ids = new Set(checks.map(({ id }) => id));
  const named = [...CAUSES_OF_REFUSALS, ...Object.keys(FOLLOWS_FROM), ...Object.values(FOLLOWS_FROM).flat()];
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  const reaches = (from: string, goal: string): boolean =>
    (FOLLOWS_FROM[from] ?? []).some((next) => next === goal || reaches(next, goal));
  expect(Object.keys(FOLLOWS_FROM).filter((id) => reaches(id, id))).toEqual([]);
});
