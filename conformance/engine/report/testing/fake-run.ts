/** For tests: a run against a server that gets some things wrong, with verdicts of every outcome. */

import type { Verdict } from '../../check/verdict.ts';
import type { Run } from '../../journal/run-file.ts';
import type { KnownFailure } from '../baseline/load.ts';
import type { CheckInfo } from '../matrix.ts';
import { type ReportOptions, reportOf } from '../model.ts';
import { FakeFlows } from './fake-flows.ts';
import { FakeJournal } from './fake-journal.ts';
import { type FakeSeen, verdictsOf } from './fake-verdicts.ts';

export type FakeRun = { run: Run; verdicts: Verdict[]; checks: CheckInfo[]; options: ReportOptions };

const scenarios = [
  {
    id: 'first-link',
    title: 'A new user signs in, is not known to the EHR server, and is linked through the exchange token',
  },
  { id: 'returning-user', title: 'A user who was linked earlier signs in again' },
  { id: 'many-tokens', title: 'One user signs in many times and asks for many exchange tokens' },
  {
    id: 'wrong-codes',
    title: 'Codes that are wrong, used already or sent to somebody else are tried beside the right one',
  },
  {
    id: 'logout',
    title: 'A linked user logs out, the EHR server first, and the session is tried afterwards',
  },
  {
    id: 'exchange-token-trouble',
    title: 'The EHR server fails in every way while an exchange token is being saved',
  },
  ...Array.from({ length: 12 }, (_, index) => ({
    id: `variation-${index + 1}`,
    title: `A user signs in and links, variation ${index + 1}`,
  })),
  { id: 'deletion', title: 'A linked user deletes their data' },
  { id: 'crowd', title: 'Fifty users sign in and link at the same time' },
];

/** A run of twenty scenarios and forty verdicts; `crowd` is the number of users of the last scenario. */
export function fakeRun({
  finished = true,
  crowd = 50,
}: {
  finished?: boolean;
  crowd?: number;
} = {}): FakeRun {
  const journal = new FakeJournal();
  const flows = new FakeFlows(journal);
  const seen = play(journal, flows, { finished, crowd });
  const verdicts = verdictsOf(seen);
  const checks = verdicts.map(({ check: id, requirements, ...about }): CheckInfo => {
    return { ...about, id, requirements: requirements as CheckInfo['requirements'], watchable: false };
  });
  const run: Run = {
    meta: {
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
      finished,
    },
    entries: [...journal.entries].sort((a, b) => a.seq - b.seq),
  };
  return { run, verdicts, checks, options: { role: 'auth-server', checks, scenarios } };
}

/** An entry of a list of known failures. */
export const known = (check: string, more: Partial<KnownFailure> = {}): KnownFailure => ({
  ...{ check, reason: 'ticket 12, until release 5', lastDay: undefined, place: 'known.yaml:1:1' },
  ...more,
});

/** The report of {@link fakeRun}. */
export function fakeReport(fake: FakeRun, more: Partial<ReportOptions> = {}) {
  return reportOf(fake.run, fake.verdicts, { ...fake.options, ...more });
}

function play(
  journal: FakeJournal,
  flows: FakeFlows,
  { finished, crowd }: { finished: boolean; crowd: number },
): FakeSeen {
  const seen: FakeSeen = {
    link: [],
    returning: [],
    tokens: [],
    wrongCode: [],
    logout: [],
    reset: [],
    hang: [],
    crowd: [],
  };
  playLinks(journal, flows, seen);
  playRefusals(journal, flows, seen);
  playTrouble(journal, flows, seen);
  playVariations(journal, flows);
  journal.scenario('deletion', () => undefined, { absent: ['deleteUser'] });
  journal.scenario(
    'crowd',
    () => {
      for (let index = 0; index < crowd; index++) {
        const person = { name: `user ${index + 1}`, number: 40 + index };
        flows.signIn(person, 'crowd: sign in');
        seen.crowd.push(...flows.link(person));
      }
      if (!finished)
        journal.unended({ user: 'user 51', step: 'requestOtp', label: 'crowd: sign in: request a code' });
    },
    { end: finished },
  );
  return seen;
}

const [ann, bea, dan, eve, mia, quin] = ['Ann', 'Bea', 'Dan', 'Eve', 'Mia', 'Quin'].map((name, index) => ({
  name,
  number: index + 1,
})) as [Person, Person, Person, Person, Person, Person];

function playLinks(journal: FakeJournal, flows: FakeFlows, seen: FakeSeen): void {
  journal.scenario('first-link', () => {
    flows.signIn(ann);
    flows.getPatient(ann, 'get patient before the link', false);
    seen.link = flows.link(ann);
    flows.getPatient(ann, 'get patient after the link');
  });
  journal.scenario('returning-user', () => {
    flows.signIn(bea, 'Bea signs in first');
    flows.link(bea);
    seen.returning = flows.signIn(bea, 'Bea returns with user_sign', { returning: true });
    flows.getPatient(bea, 'Bea reads the record');
  });
  journal.scenario('many-tokens', () => {
    for (let round = 1; round <= 4; round++) {
      flows.signIn(dan, `sign in, time ${round}`);
      seen.tokens.push(...flows.exchangeToken(dan, `exchange token, time ${round}`));
    }
  });
}

function playRefusals(journal: FakeJournal, flows: FakeFlows, seen: FakeSeen): void {
  journal.scenario('wrong-codes', () => {
    flows.signIn(eve);
    seen.wrongCode = journal.step(
      {
        user: 'Eve',
        step: 'confirmOtp',
        label: 'a wrong code',
        defect: 'the code is not the one that was sent',
      },
      { kind: 'refused', status: 422, reason: 'WRONG_CODE' },
      () => flows.rest('/api/v1/otp/confirm', { code: '‹code 77›' }, { error: 'WRONG_CODE' }, undefined, 422),
    );
  });
  journal.scenario('logout', () => {
    flows.signIn(mia);
    flows.link(mia);
    seen.logout = [
      ...journal.step({ user: 'Mia', step: 'logout', label: 'logout' }, { kind: 'done', values: {} }, () =>
        flows.rest('/api/v1/logout', {}, {}, undefined, 204),
      ),
      ...flows.exchangeToken(mia, 'an exchange token after the logout'),
    ];
  });
}

function playTrouble(journal: FakeJournal, flows: FakeFlows, seen: FakeSeen): void {
  journal.scenario('exchange-token-trouble', () => {
    flows.signIn(quin);
    flows.exchangeToken(quin, 'before any trouble');
    seen.reset = flows.exchangeToken(
      quin,
      'while: reset',
      { fault: 'reset', broke: 'reset' },
      { kind: 'failed', what: 'server-error', detail: 'HTTP 500' },
    );
    seen.hang = flows.exchangeToken(
      quin,
      'while: hang',
      { fault: 'hang', broke: 'closed-early', took: 30_000 },
      { kind: 'failed', what: 'timeout', detail: 'no answer within 30 s' },
    );
    flows.exchangeToken(quin, 'while: http-500', {
      fault: 'http-500',
      status: 500,
      reply: { error: { status: 500 } },
    });
    flows.exchangeToken(quin, 'after all trouble');
  });
}

function playVariations(journal: FakeJournal, flows: FakeFlows): void {
  for (let index = 1; index <= 12; index++) {
    const person = { name: `variation ${index}`, number: 10 + index };
    const stopped = {
      because: 'the step "link: report" ought to succeed and did not',
      blame: 'auth server',
    } as const;
    const play = () => {
      flows.signIn(person);
      flows.link(person);
      journal.note('The clock of the server cannot be moved: waiting instead.');
    };
    journal.scenario(`variation-${index}`, play, index === 12 ? { stopped } : {});
  }
}

type Person = { name: string; number: number };
