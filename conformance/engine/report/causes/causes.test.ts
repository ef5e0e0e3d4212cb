import { expect, test } from 'vitest';
import type { Finding, Verdict } from '../../check/verdict.ts';
import type { Entry, Facts } from '../../journal/entry.ts';
import { adviceOf, causeOf } from '../lookup.ts';
import { FakeJournal } from '../testing/fake-journal.ts';
import { causesOf } from './causes.ts';

test('needed steps that are refused alike are one cause with one advice', () => {
  const journal = new FakeJournal();
  const names = ['cached', 'record', 'types'];
  const blame = 'EHR server' as const;
  const evidence = names.map((name) => step(journal, name, refused(READ), REFUSAL));
  const used = step(journal, 'used', succeeded(READ), { kind: 'done', values: {} });
  const verdicts = [
    verdict('used', { expected: '"it" is refused', actual: 'it succeeded', evidence: used, blame }),
    ...names.map((name, index) =>
      verdict(name, { actual: REFUSED_WORDS, evidence: evidence[index] ?? [], blame }),
    ),
  ];
  const causes = causesOf(verdicts, withSteps(journal));
  expect(causes.map(({ checks }) => checks)).toEqual([['cached', 'record', 'types'], ['used']]);
  expect(causes[0]).toMatchObject({
    check: 'cached',
    cause: `the step "cached: read" (${READ}) ought to succeed and did not: ${REFUSED_WORDS}`,
    advice: expect.stringContaining('Find out why this step is not done'),
  });
  expect(adviceOf('types', causes)).not.toContain('Mend types.');
  expect(adviceOf('used', causes)).toBe('Mend used.');
});

test('a rule of messages that finds the refused call says why every scenario stopped', () => {
  const journal = new FakeJournal();
  const because = 'the step "report" ought to succeed and did not';
  let save = 0;
  for (const scenario of ['one', 'two', 'three'])
    journal.scenario(
      scenario,
      () => {
        const inner = () => {
          save = journal.exchange('auth->ehr', { facts: refused(SAVE), reply: {} });
        };
        const about = { user: 'Ann', step: 'reportLink', label: 'report' } as const;
        journal.step(about, { kind: 'refused', status: 400 }, () =>
          journal.exchange('client->auth', { inner }),
        );
      },
      { stopped: { because, blame: 'auth server' } },
    );
  const entries = journal.entries
    .map((entry) =>
      entry.kind === 'scenario' && entry.phase === 'begin' ? { ...entry, alone: true as const } : entry,
    )
    .sort((a, b) => a.seq - b.seq);
  const stopped = ['one', 'two', 'three'].map((name) => verdict(name, { outcome: 'inconclusive', because }));
  const digest = verdict('digest', { actual: 'the digest is over nothing', evidence: [save] });
  const accepted = verdict('accepted', {
    actual: 'refused with code -33000 (3 of 3 calls)',
    saysWhy: false,
    evidence: [save],
  });
  const nothing = verdict('nothing', { outcome: 'inconclusive', because: 'no call was accepted' });
  expect(causesOf([accepted, nothing, ...stopped, digest], entries)).toEqual([
    {
      cause: '"digest holds" does not hold: the digest is over nothing',
      check: 'digest',
      advice: 'Mend digest.',
      blame: 'auth server',
      checks: ['digest', 'accepted', 'one', 'two', 'three', 'nothing'],
    },
  ]);
  const elsewhere = verdict('digest', { actual: 'the digest is over nothing', evidence: [] });
  expect(causesOf([...stopped, elsewhere], entries)).toHaveLength(2);
});

test('a refusal between two others follows from what the party did before', () => {
  const journal = new FakeJournal();
  const names = ['record', 'types', 'used'];
  const reads = refusedReads(journal, names);
  const token = verdict('token', { actual: 'it was never sent that value' });
  expect(checksOf([...reads, token], journal)).toEqual([['token'], names]);
  const atServer = [...reads, token].map((each) => {
    return { ...each, finding: { ...each.finding, blame: 'EHR server' } } as Verdict;
  });
  expect(checksOf(atServer, journal)).toEqual([names, ['token']]);
});

test('the same difference is one cause, led by the shortest way to it', () => {
  const journal = new FakeJournal();
  const done = { kind: 'done', values: {} } as const;
  const late = step(journal, 'long', succeeded(READ), done, 2);
  const short = step(journal, 'short', succeeded(READ), done);
  const other = step(journal, 'other', succeeded(READ), done);
  const expired = { expected: '"late" is refused (session_expired)', actual: 'it succeeded' };
  const verdicts = [
    verdict('long', { ...expired, evidence: late }),
    verdict('other', { ...expired, expected: '"used" is refused (exchange_token_unknown)', evidence: other }),
    verdict('short', { ...expired, expected: '"at once" is refused (session_expired)', evidence: short }),
  ];
  expect(checksOf(verdicts, journal)).toEqual([['short', 'long'], ['other']]);
});

test('a fault that explains others leads them, however many they are', () => {
  const journal = new FakeJournal();
  const names = ['record', 'types', 'used'];
  const reads = refusedReads(journal, names);
  const token = verdict('token', { explains: ['used'] });
  const other = verdict('other', { explains: ['nothing'] });
  expect(checksOf([...reads, other, token], journal)).toEqual([['token', ...names], ['other']]);
});

test('equal words, equal advice or one requirement at one step are one cause', () => {
  const journal = new FakeJournal();
  const done = { kind: 'done', values: {} } as const;
  const [a, b] = ['a', 'b'].map((name) => step(journal, name, succeeded(READ), done));
  const words = { actual: 'none is sent (3 of 3 calls)' };
  const advice = { advice: 'Say it in words.' };
  const shared = { requirements: ['4.4-caller'] };
  const fewer = { actual: 'none is sent (1 of 3 calls)' };
  expect(checksOf([verdict('a', words), verdict('b', fewer)], journal)).toHaveLength(1);
  expect(checksOf([verdict('a', advice), verdict('b', advice)], journal)).toHaveLength(1);
  const same = [verdict('a', { evidence: a ?? [] }, shared), verdict('b', { evidence: b ?? [] }, shared)];
  expect(checksOf(same, journal)).toEqual([['a', 'b']]);
  expect(checksOf([verdict('a', {}, shared), verdict('b', {}, shared)], journal)).toHaveLength(2);
});

test('a missing call is the cause of what could not be judged without it', () => {
  const nothing = verdict('cred', {
    outcome: 'inconclusive',
    because: 'the client made no auth.report_link call',
  });
  const missing = verdict('reported', { expected: 'auth.report_link succeeds', actual: 'it never does' });
  expect(checksOf([nothing, missing], new FakeJournal())).toEqual([['reported', 'cred']]);
  const others = [nothing, { ...nothing, check: 'more' }, verdict('other', {})];
  expect(checksOf(others, new FakeJournal())).toEqual([['other'], ['cred', 'more']]);
});

test('one reason for several undecided checks is one cause that names the scenario', () => {
  const journal = new FakeJournal();
  const because = 'nobody could sign in';
  journal.scenario('a', () => undefined, { stopped: { because, blame: 'auth server' } });
  const verdicts = ['a', 'c'].map((name) => verdict(name, { outcome: 'inconclusive', because }));
  const other = verdict('b', { outcome: 'inconclusive', because: 'no code' });
  expect(causesOf([...verdicts, other], journal.entries)).toEqual([
    { cause: `the scenario a could not go on: ${because}`, blame: 'auth server', checks: ['a', 'c'] },
    { cause: 'no code', blame: 'auth server', checks: ['b'] },
  ]);
});

test('the end of the server is the cause of what failed meanwhile', () => {
  const journal = new FakeJournal();
  const seen: number[][] = [];
  const down = { kind: 'failed', what: 'unreachable', detail: 'connection refused' } as const;
  journal.scenario('crowd', () => {
    for (const user of ['Ann', 'Bea'])
      seen.push(journal.step({ user, step: 'exchangeToken', label: 'token' }, down));
  });
  const died = { kind: 'server', seq: 1, at: 0, event: 'died', ended: 'ended with exit code 1' } as const;
  const entries = [died, ...journal.entries.map((entry) => ({ ...entry, seq: entry.seq + 1 }))].map(
    (entry) => (entry.kind === 'outcome' ? { ...entry, step: entry.step + 1 } : entry),
  );
  const verdicts = seen.map((evidence, index) =>
    verdict(`check-${index}`, { evidence: evidence.map((seq) => seq + 1) }),
  );
  expect(causesOf(verdicts, entries)).toEqual([
    { cause: 'the server under test ended with exit code 1', checks: ['check-0', 'check-1'] },
  ]);
});

test('the end of a client is the cause of what failed from then on', () => {
  const journal = new FakeJournal();
  const ended = { kind: 'failed', what: 'ended', detail: 'the program ended with code 1' } as const;
  const seen: number[][] = [];
  for (const scenario of ['form', 'logout'])
    journal.scenario(scenario, () => {
      for (const label of ['acts', 'reads'])
        seen.push(journal.step({ user: 'person', step: 'fillForm', label }, ended));
    });
  const verdicts = seen.map((evidence, index) => verdict(`check-${index}`, { evidence, blame: 'client' }));
  expect(causesOf(verdicts, journal.entries)).toMatchObject([
    {
      cause: expect.stringMatching(
        /^the client ended in the step "acts" .* of form and in 1 further step: .*with code 1$/,
      ),
      checks: ['check-0', 'check-2', 'check-1', 'check-3'],
    },
  ]);
});

test('the cause of a check is the one that another check shows', () => {
  const causes = [{ cause: 'it is so', check: 'a', checks: ['a', 'b'] }];
  expect(causeOf('b', causes)).toBe(causes[0]);
  expect(causeOf('a', causes)).toBeUndefined();
  expect(causeOf('c', causes)).toBeUndefined();
});

test('what counts most is the first cause, however many checks show another', () => {
  const light = { outcome: 'warning' };
  const same = { actual: 'it has no reason' };
  const verdicts = [
    ...['one', 'two', 'three'].map((name) => verdict(name, same, light)),
    verdict('broken', {}),
  ];
  const causes = checksOf(verdicts, new FakeJournal());
  expect(causes.map(([first]) => first)).toEqual(['broken', 'one']);
});

test('a failure leads a warning, and more failures lead fewer', () => {
  const journal = new FakeJournal();
  const warning = { outcome: 'warning' };
  const words = { advice: 'Say it in words.' };
  expect(checksOf([verdict('a', words, warning), verdict('b', words)], journal)).toEqual([['b', 'a']]);
  const other = { advice: 'Send it.' };
  const [few, many] = [
    [verdict('c', words), ...['d', 'e'].map((id) => verdict(id, words, warning))],
    ['f', 'g'].map((id) => verdict(id, other)),
  ];
  expect(checksOf([...few, ...many], journal)).toEqual([
    ['f', 'g'],
    ['c', 'd', 'e'],
  ]);
});

const SAVE = 'embedded_storage.save_auth_info';
const READ = 'patient.get_patient';
const call = (method: string) => ({ method, idType: 'string', jsonrpc: '2.0', params: {} });
const refused = (method: string): Facts => ({
  call: call(method),
  reply: { result: false, code: -33000, reason: 'not_authorized' },
});
const succeeded = (method: string): Facts => ({ call: call(method), reply: { result: true } });
const REFUSAL = { kind: 'refused', status: 200, code: '-33000', reason: 'not_authorized' } as const;
const REFUSED_WORDS = 'it was refused with HTTP 200, code -33000 (not_authorized)';

type GivenRun = Partial<Finding & { outcome: 'fail' }> & { because?: string };

function verdict(
  check: string,
  given: GivenRun | { outcome: 'inconclusive'; because: string },
  about = {},
): Verdict {
  const finding = {
    ...{ outcome: 'fail', expected: 'x', actual: `${check} is wrong`, because: 'no reason', evidence: [] },
    blame: 'auth server',
    advice: `Mend ${check}.`,
    ...given,
  } as Finding;
  const named = { check, title: `${check} holds`, level: 'MUST', requirements: [check], scenarios: [check] };
  return { ...named, outcome: finding.outcome, ...about, finding } as unknown as Verdict;
}

type FakeResult = Parameters<FakeJournal['step']>[1];

function step(journal: FakeJournal, scenario: string, facts: Facts, result: FakeResult, count = 1): number[] {
  let evidence: number[] = [];
  journal.scenario(scenario, () => {
    for (let played = 0; played < count; played++) {
      const about = { user: 'Ann', step: 'getPatient', label: `${scenario}: read` } as const;
      evidence = journal.step(
        about,
        result,
        () => void journal.exchange('client->ehr', { facts, reply: {} }),
      );
    }
  });
  return evidence;
}

/** Verdicts of these names, each on a scenario in which a read was refused. */
const refusedReads = (journal: FakeJournal, names: readonly string[]) =>
  names.map((name) =>
    verdict(name, { actual: REFUSED_WORDS, evidence: step(journal, name, refused(READ), REFUSAL) }),
  );

/** The journal as the kit's own calls are in it: each names its step. */
function withSteps({ entries }: FakeJournal): Entry[] {
  let step: number | undefined;
  return entries.map((entry) => {
    if (entry.kind === 'step') step = entry.seq;
    return entry.kind === 'exchange' && step !== undefined ? { ...entry, step } : entry;
  });
}

const checksOf = (verdicts: readonly Verdict[], journal: FakeJournal) =>
  causesOf(verdicts, withSteps(journal)).map(({ checks }) => checks);
