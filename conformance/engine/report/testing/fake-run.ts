/** For tests of the reports: an invented run against a server with faults, with verdicts of every outcome. */
import type { Finding, Verdict } from '../../check/verdict.ts';
import { type JudgedId, weightOf } from '../../check/weight.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import type { KnownFailure } from '../known-failures.ts';
import type { CheckInfo } from '../matrix.ts';
import { type ReportOptions, reportOf } from '../model.ts';
import { FakeFlows, FakeJournal } from './fake-journal.ts';

export type FakeRun = { run: Run; verdicts: Verdict[]; checks: CheckInfo[]; options: ReportOptions };

const scenarios = [
  {
    id: 'first-link',
    title: 'A new user signs in, is not known to the EHR server, and is linked through the exchange token',
  },
  { id: 'returning-user', title: 'A user who was linked earlier signs in again' },
];

const META: Omit<Run['meta'], 'finished'> = {
  tool: 'embedded-ehr-harness 0.1.0',
  node: 'v20.20.2',
  startedAt: '2026-01-15T09:00:00.000Z',
  seed: 730219,
  mode: 'scenarios',
  target: 'Acme Identity 7.2 (staging)',
  configuration: {
    server: 'http://127.0.0.1:4200',
    ehr: { apiVersion: '1.0-alpha', host: '127.0.0.1' },
    otp: { sms: 'webhook' },
    steps: { deleteUser: 'absent' },
  },
  abilities: { absentSteps: ['deleteUser'], canAdvanceClock: false, otpLifetimeSeconds: 300 },
  longestSilenceMs: 12,
};

/** A run of eight scenarios and its verdicts; `crowd` is the number of users of the last scenario. */
export function fakeRun({ finished = true, crowd = 50 } = {}): FakeRun {
  const journal = new FakeJournal();
  const flows = new FakeFlows(journal);
  const seen: FakeSeen = { link: [], returning: [], wrongCode: [], logout: [], hang: [], crowd: [] };
  playLinks(flows, seen);
  playRefusals(flows, seen);
  playTrouble(flows, seen);
  playRest(flows, seen, crowd, finished);
  return fakeRunOf(journal, verdictsOf(seen), scenarios, finished);
}

/** A run of what was played into the journal. Its checks are those of the verdicts. */
export function fakeRunOf(
  { entries }: FakeJournal,
  verdicts: Verdict[],
  scenarios: NonNullable<ReportOptions['scenarios']>,
  finished = true,
): FakeRun {
  const checks = verdicts.map(({ check: id, requirements, ...about }): CheckInfo => {
    return { ...about, id, requirements: requirements as CheckInfo['requirements'], watchable: false };
  });
  const run = { meta: { ...META, finished }, entries: entries.sort((a, b) => a.seq - b.seq) };
  return { run, verdicts, checks, options: { role: 'auth-server', checks, scenarios } };
}

export const known = (check: string, more: Partial<KnownFailure> = {}): KnownFailure => ({
  check,
  because: 'ticket 12',
  until: '2999-12-31',
  place: 'known.yaml:2:5',
  ...more,
});

/** The run with other messages. */
export function withMessages(fake: FakeRun, change: (message: ExchangeEntry) => ExchangeEntry): FakeRun {
  const entries = fake.run.entries.map((entry) => (entry.kind === 'exchange' ? change(entry) : entry));
  return { ...fake, run: { ...fake.run, entries } };
}

export function fakeReport(fake: FakeRun, more: Partial<ReportOptions> = {}) {
  return reportOf(fake.run, fake.verdicts, { ...fake.options, ...more });
}

function playLinks(flows: FakeFlows, seen: FakeSeen): void {
  const { journal } = flows;
  const ann = { name: 'Ann', number: 1 };
  const bea = { name: 'Bea', number: 2 };
  journal.scenario('first-link', () => {
    flows.signIn(ann);
    flows.getPatient(ann, 'get patient before the link', { known: false });
    seen.link = flows.link(ann);
    flows.getPatient(ann, 'get patient after the link');
  });
  journal.scenario('returning-user', () => {
    flows.signIn(bea, 'Bea signs in first');
    flows.link(bea);
    seen.returning = flows.signIn(bea, 'Bea returns with user_sign', { returning: true });
    flows.getPatient(bea, 'Bea reads the record');
  });
}

function playRefusals(flows: FakeFlows, seen: FakeSeen): void {
  const { journal } = flows;
  const eve = { name: 'Eve', number: 3 };
  const mia = { name: 'Mia', number: 4 };
  const wrong = { label: 'a wrong code', defect: 'the code is not the one that was sent' };
  journal.scenario('wrong-codes', () => {
    flows.signIn(eve);
    seen.wrongCode = journal.step(
      { user: 'Eve', step: 'confirmOtp', ...wrong },
      { kind: 'refused', status: 422, reason: 'WRONG_CODE' },
      () => flows.rest('/otp/confirm', { code: '‹code 77›' }, { error: 'WRONG_CODE' }, undefined, 422),
    );
  });
  journal.scenario('logout', () => {
    flows.signIn(mia);
    flows.link(mia);
    seen.logout = [
      ...flows.step('Mia', 'logout', 'logout', () => flows.rest('/logout', {}, {}, undefined, 204)),
      ...flows.exchangeToken(mia, 'an exchange token after the logout'),
    ];
  });
}

function playTrouble(flows: FakeFlows, seen: FakeSeen): void {
  const quin = { name: 'Quin', number: 5 };
  const reset = { fault: 'reset', broke: 'reset' } as const;
  const hang = { fault: 'hang', broke: 'closed-early', took: 30_000 } as const;
  const refused = { fault: 'http-500', status: 500, reply: { error: { status: 500 } } } as const;
  const error = { kind: 'failed', what: 'server-error', detail: 'HTTP 500' } as const;
  const timeout = { kind: 'failed', what: 'timeout', detail: 'no answer within 30 s' } as const;
  flows.journal.scenario('exchange-token-trouble', () => {
    flows.signIn(quin);
    flows.exchangeToken(quin, 'before any trouble');
    flows.exchangeToken(quin, 'while: reset', reset, error);
    seen.hang = flows.exchangeToken(quin, 'while: hang', hang, timeout);
    flows.exchangeToken(quin, 'while: http-500', refused);
  });
}

/** A scenario that stopped, one not played, and a crowd of users, in which the run may be broken off. */
function playRest(flows: FakeFlows, seen: FakeSeen, crowd: number, finished: boolean): void {
  const { journal } = flows;
  const stopped = { because: 'the step "link: report" ought to succeed and did not', blame: 'auth server' };
  const waiting = () => journal.note('The clock of the server cannot be moved: waiting instead.');
  journal.scenario('stopped', waiting, { stopped });
  journal.scenario('deletion', () => undefined, { absent: ['deleteUser'] });
  const play = () => {
    for (let index = 0; index < crowd; index++) {
      const person = { name: `user ${index + 1}`, number: 40 + index };
      flows.signIn(person, 'crowd: sign in');
      seen.crowd.push(...flows.link(person));
    }
    if (!finished) journal.unended({ user: 'user 51', step: 'requestOtp', label: 'crowd: request a code' });
  };
  journal.scenario('crowd', play, { end: finished });
}

/** `seq` of the entries that the verdicts name as evidence, by what was played. */
type FakeSeen = Record<'link' | 'returning' | 'wrongCode' | 'logout' | 'hang' | 'crowd', number[]>;

function verdict(check: string, requirement: JudgedId, scenario: string, finding: Finding): Verdict {
  const { part, level } = weightOf([requirement]);
  const title = TITLES[check] ?? `${check} holds`;
  const named = { check, title, part, level, requirements: [requirement], scenarios: [scenario] };
  const isWarning = finding.outcome === 'fail' && level === 'SHOULD';
  return { ...named, outcome: isWarning ? 'warning' : finding.outcome, finding } as Verdict;
}

const TITLES: Readonly<Record<string, string>> = {
  'exchange-token-ehr-first':
    'The EHR server has acknowledged the exchange token before the client is given it',
  'auth-info-ttl': 'authInfo.ttl is a whole number of minutes',
};

function verdictsOf(seen: FakeSeen): Verdict[] {
  const linked: Finding = { outcome: 'pass', evidence: seen.link };
  return [
    verdict('exchange-token-ehr-first', '1-exchange-token-ehr-first', 'first-link', linked),
    ...wrongOf(seen),
    verdict('wrong-code-refused', '1-confirm-then-store', 'wrong-codes', {
      outcome: 'inconclusive',
      because:
        'the right code was not accepted in the same run, so the refusal of the wrong one shows nothing',
      evidence: seen.wrongCode,
      blame: 'auth server',
    }),
    verdict('session-dead-after-deletion', 'K-deletion-forgets', 'deletion', {
      outcome: 'not applicable',
      because: 'the adapter declares that the server has no step deleteUser',
    }),
    verdict('no-correspondence', '1-no-correspondence-error', 'deletion', {
      outcome: 'not applicable',
      because: 'the adapter names no phone without a correspondence entry',
    }),
    verdict('no-cross-talk', '4.2-asking-session', 'crowd', { outcome: 'pass', evidence: seen.crowd }),
    ...PASSING.map(([check, requirement]) => verdict(check, requirement, 'first-link', linked)),
  ];
}

function wrongOf(seen: FakeSeen): Verdict[] {
  const wrong = { outcome: 'fail', blame: 'auth server' } as const;
  return [
    verdict('auth-info-ttl', '2.3-ttl', 'first-link', {
      ...wrong,
      evidence: seen.returning,
      expected: 'a JSON integer',
      actual: 'the string "86400", in 6 of 6 calls',
      advice: 'Send ttl as a JSON number, in minutes: 1440, not "86400".',
    }),
    verdict('session-dead-after-logout', '4.2-asking-session', 'logout', {
      ...wrong,
      evidence: seen.logout,
      expected: 'a refusal, and no call to the EHR server',
      actual: 'an exchange token was given for the session that had ended, and the EHR server was sent it',
      advice:
        'End the session when the client logs out, and look it up before anything is done on its behalf.',
    }),
    verdict('answer-in-time', 'K-repeats-bounded', 'exchange-token-trouble', {
      ...wrong,
      evidence: seen.hang,
      expected: 'an answer to the client within 15 s',
      actual: 'none within 30 s, while the EHR server did not answer',
      advice: 'Give the calls to the EHR server a timeout, and answer the client with an error then.',
    }),
    verdict('resend-limited', 'K-code-cap', 'wrong-codes', {
      ...wrong,
      evidence: seen.wrongCode,
      expected: 'a refusal at some point',
      actual: '20 codes were sent to one phone within a second',
      advice: 'Put a pause between two codes to one phone.',
    }),
  ];
}

const PASSING: readonly [check: string, requirement: JudgedId][] = [
  ['digest-shape', '2.2-digest-shape'],
  ['digest-save', '5.1-digest'],
  ['digest-exchange', '5.2-digest'],
  ['cred-user', '5.1-user'],
  ['own-sign', '5.1-digest-of-own-sign'],
  ['jsonrpc', '2.1-jsonrpc-sent'],
  ['token-own', '2.3-token'],
  ['post', '4-post-json'],
  ['save-params', '4.1-params'],
];
