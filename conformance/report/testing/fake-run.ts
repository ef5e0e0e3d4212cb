/** For tests: a run against a server that gets some things wrong, with verdicts of every outcome. */

import type { Run } from '../../journal/run-file.ts';
import type { Finding, Verdict } from '../../verdict.ts';
import type { CheckInfo } from '../matrix.ts';
import { type ReportOptions, reportOf } from '../model.ts';
import { FakeFlows } from './fake-flows.ts';
import { FakeJournal } from './fake-journal.ts';

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
  { id: 'logout', title: 'A linked user logs out, the EHR server first, and the session is tried afterwards' },
  { id: 'exchange-token-trouble', title: 'The EHR server fails in every way while an exchange token is being saved' },
  ...Array.from({ length: 12 }, (_, index) => ({
    id: `variation-${index + 1}`,
    title: `A user signs in and links, variation ${index + 1}`,
  })),
  { id: 'deletion', title: 'A linked user deletes their data' },
  { id: 'crowd', title: 'Fifty users sign in and link at the same time' },
];

/** A run of twenty scenarios and forty verdicts; `crowd` says how many users the last scenario has. */
export function fakeRun({ finished = true, crowd = 50 }: { finished?: boolean; crowd?: number } = {}): FakeRun {
  const journal = new FakeJournal();
  const flows = new FakeFlows(journal);
  const seen = play(journal, flows, { finished, crowd });
  const verdicts = verdictsOf(seen);
  const checks = verdicts.map(
    ({ check, title, level, requirements, scenarios: played }): CheckInfo => ({
      id: check,
      title,
      level,
      requirements: requirements as CheckInfo['requirements'],
      scenarios: played,
      watchable: false,
    }),
  );
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
      finished,
    },
    entries: [...journal.entries].sort((a, b) => a.seq - b.seq),
  };
  return { run, verdicts, checks, options: { checks, scenarios } };
}

/** The report of {@link fakeRun}. */
export function fakeReport(fake: FakeRun, more: Partial<ReportOptions> = {}) {
  return reportOf(fake.run, fake.verdicts, { ...fake.options, ...more });
}

type Seen = Record<'link' | 'returning' | 'tokens' | 'wrongCode' | 'logout' | 'reset' | 'hang' | 'crowd', number[]>;

function play(journal: FakeJournal, flows: FakeFlows, { finished, crowd }: { finished: boolean; crowd: number }): Seen {
  const seen: Seen = { link: [], returning: [], tokens: [], wrongCode: [], logout: [], reset: [], hang: [], crowd: [] };
  const [ann, bea, dan, eve, mia, quin] = ['Ann', 'Bea', 'Dan', 'Eve', 'Mia', 'Quin'].map((name, index) => ({
    name,
    number: index + 1,
  })) as [Person, Person, Person, Person, Person, Person];
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
  journal.scenario('wrong-codes', () => {
    flows.signIn(eve);
    seen.wrongCode = journal.step(
      { actor: 'Eve', step: 'confirmOtp', label: 'a wrong code', defect: 'the code is not the one that was sent' },
      { kind: 'refused', status: 422, reason: 'WRONG_CODE' },
      () =>
        flows.rest(
          '/api/v1/otp/confirm',
          { phone: '‹phone 4›', code: '‹code 77›' },
          { error: 'WRONG_CODE' },
          undefined,
          422,
        ),
    );
  });
  journal.scenario('logout', () => {
    flows.signIn(mia);
    flows.link(mia);
    seen.logout = [
      ...journal.step({ actor: 'Mia', step: 'logout', label: 'logout' }, { kind: 'done', values: {} }, () =>
        flows.rest('/api/v1/logout', {}, {}, undefined, 204),
      ),
      ...flows.exchangeToken(mia, 'an exchange token after the logout'),
    ];
  });
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
    flows.exchangeToken(quin, 'while: http-500', { fault: 'http-500', status: 500, reply: { error: { status: 500 } } });
    flows.exchangeToken(quin, 'after all trouble');
  });
  for (let index = 1; index <= 12; index++) {
    const person = { name: `variation ${index}`, number: 10 + index };
    journal.scenario(`variation-${index}`, () => {
      flows.signIn(person);
      flows.link(person);
      journal.note('The clock of the server cannot be moved: waiting instead.');
    });
  }
  journal.scenario('deletion', () => flows.signIn(mia, 'Mia signs in again'), {
    stopped: { because: 'the adapter declares that the server has no step deleteUser', blame: 'environment' },
  });
  journal.scenario(
    'crowd',
    () => {
      for (let index = 0; index < crowd; index++) {
        const person = { name: `user ${index + 1}`, number: 40 + index };
        flows.signIn(person, 'crowd: sign in');
        seen.crowd.push(...flows.link(person));
      }
      if (!finished) journal.unended({ actor: 'user 51', step: 'requestOtp', label: 'crowd: sign in: request a code' });
    },
    { end: finished },
  );
  return seen;
}

type Person = { name: string; number: number };

function verdictsOf(seen: Seen): Verdict[] {
  const pass = (evidence: number[]): Finding & { outcome: 'pass' } => ({ outcome: 'pass', evidence });
  const about = (
    check: string,
    title: string,
    requirements: Verdict['requirements'],
    scenario: string,
    level: Verdict['level'] = 'MUST',
  ) => ({ check, title, level, requirements, scenarios: [scenario] });
  const hung: Finding & { outcome: 'fail' } = {
    outcome: 'fail',
    expected: 'an answer to the client within 15 s',
    actual: 'none within 30 s, while the EHR server did not answer',
    evidence: seen.hang,
    blame: 'auth server',
    advice: 'Give the calls to the EHR server a timeout, and answer the client with an error when it has passed.',
  };
  return [
    {
      ...about(
        'exchange-token-ehr-first',
        'The EHR server has acknowledged the exchange token before the client is given it',
        ['1-exchange-token-ehr-first'],
        'first-link',
        'SHOULD',
      ),
      outcome: 'pass',
      finding: pass(seen.link),
    },
    {
      ...about('auth-info-ttl', 'authInfo.ttl is a whole number of minutes', ['2.3-ttl'], 'first-link'),
      outcome: 'fail',
      finding: {
        outcome: 'fail',
        expected: 'a JSON integer',
        actual: 'the string "86400", in 6 of 6 calls',
        evidence: seen.returning,
        blame: 'auth server',
        advice: 'Send ttl as a JSON number, in minutes: 1440, not "86400".',
      },
    },
    {
      ...about('session-dead-after-logout', 'After a logout the session opens nothing', ['DA-logout'], 'logout'),
      outcome: 'fail',
      finding: {
        outcome: 'fail',
        expected: 'a refusal, and no call to the EHR server',
        actual: 'an exchange token was given for the session that had ended, and the EHR server was sent it',
        evidence: seen.logout,
        blame: 'auth server',
        advice: 'End the session when the client logs out, and look it up before anything else is done on its behalf.',
      },
    },
    {
      ...about(
        'answer-in-time',
        'When the EHR server hangs, the client is answered within a bounded time',
        ['4.2-params'],
        'exchange-token-trouble',
        'SHOULD',
      ),
      outcome: 'warning',
      finding: hung,
    },
    {
      ...about(
        'resend-limited',
        'Codes cannot be requested without limit',
        ['1-phone-confirmed'],
        'wrong-codes',
        'ADVICE',
      ),
      outcome: 'warning',
      finding: {
        ...hung,
        expected: 'a refusal at some point',
        actual: '20 codes were sent to one phone within a second',
        evidence: seen.wrongCode,
        advice: 'Put a pause between two codes to one phone.',
      },
    },
    {
      ...about(
        'wrong-code-refused',
        'A wrong code is refused for being wrong',
        ['1-confirm-then-store'],
        'wrong-codes',
      ),
      outcome: 'inconclusive',
      finding: {
        outcome: 'inconclusive',
        because: 'the right code was not accepted in the same run, so the refusal of the wrong one shows nothing',
        evidence: seen.wrongCode,
        blame: 'auth server',
      },
    },
    {
      ...about(
        'session-dead-after-deletion',
        'After a deletion the session opens nothing',
        ['DA-delete-user'],
        'deletion',
      ),
      outcome: 'not applicable',
      finding: { outcome: 'not applicable', because: 'the adapter declares that the server has no step deleteUser' },
    },
    {
      ...about(
        'no-correspondence',
        'A user without a correspondence entry is told so',
        ['1-no-correspondence-error'],
        'deletion',
      ),
      outcome: 'not applicable',
      finding: { outcome: 'not applicable', because: 'the adapter names no phone without a correspondence entry' },
    },
    {
      ...about('no-cross-talk', 'Fifty users at once get each their own', ['4.2-asking-session'], 'crowd'),
      outcome: 'pass',
      finding: pass(seen.crowd),
    },
    {
      ...about(
        'survives-reset',
        'After a reset of the connection the next attempt works',
        ['4.2-params'],
        'exchange-token-trouble',
      ),
      outcome: 'pass',
      finding: pass(seen.reset),
    },
    ...passing.map(
      ([check, title, requirement], index): Verdict => ({
        ...about(check, title, [requirement], 'first-link'),
        outcome: 'pass',
        finding: pass(index % 3 === 0 ? seen.tokens : seen.link),
      }),
    ),
  ];
}

const passing: readonly [string, string, Verdict['requirements'][number]][] = [
  [
    'exchange-token-known-to-ehr',
    'Each exchange token that a client is given was sent to the EHR server',
    '1-exchange-token-to-ehr',
  ],
  ['exchange-token-new', 'Every request is given an exchange token of its own', '1-exchange-token-to-client'],
  ['digest-shape', 'The digest has 40 characters from 0-9 and a-f', '2.2-digest-shape'],
  ['digest-save', 'The digest of save_auth_info is over password and user_sign', '5.1-digest'],
  ['digest-order', 'The password stands first in the digest', '5.1-digest-order'],
  ['digest-exchange', 'The digest of save_exchange_token is over password and exchange token', '5.2-digest'],
  ['cred-user', 'cred.user is the internal user name', '5.1-user'],
  ['own-sign', "The digest is over the user's own signature", '5.1-digest-of-own-sign'],
  ['no-secret-in-clear', 'Neither the password nor a signature crosses in clear', '5.1-secrets-not-in-clear'],
  ['jsonrpc', 'Every call says jsonrpc 2.0', '2.1-jsonrpc-sent'],
  ['id', 'Every call carries an id', '2.1-id-sent'],
  ['params', 'Parameters are sent by name', '2.1-params-sent'],
  ['post', 'Every call is an HTTP POST of JSON', '4-post-json'],
  ['version', 'The version stands in the path', '9-version-in-path'],
  ['token-unique', 'No two sessions share a token', '2.3-token-unique'],
  ['token-own', "The token is the client's own", '2.3-token'],
  ['user-own', 'The user is the one handed to the client', '2.3-user'],
  ['save-params', 'save_auth_info carries authInfo', '4.1-params'],
  ['exchange-params', 'save_exchange_token carries both', '4.2-params'],
  ['returning-direct', 'A returning user goes straight through', '1-matched-user-saved-directly'],
  ['saved-after-link', 'A link is recorded', '1-session-saved-after-link'],
  ['pair', 'A sign-in hands over user and token', '1-pair-at-sign-in'],
  ['not-relayed', 'No patient property is relayed', '1-properties-not-relayed'],
  ['phone-confirmed', 'No session before the phone is confirmed', '1-phone-confirmed'],
  ['internal-id', 'internalUserId is not sent', '2.3-internal-id-not-sent'],
  ['parameter-name', 'The parameter is called exchangeToken', '2.4-parameter-name'],
  ['known-to-both', 'Both know the exchange token', '2.4-known-to-both'],
  ['caller', 'authenticate is sent by the client alone', '4.3-caller'],
  ['direct-after-logout', 'The sign-in after a logout goes straight through', 'D19-next-sign-in-direct'],
  ['field-client', 'A client in the field is served', 'D0-field-client-served'],
];
