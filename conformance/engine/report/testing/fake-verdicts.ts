/** For tests of the reports: invented verdicts of every outcome on the run of `fake-run.ts`. */
import type { Finding, Verdict } from '../../check/verdict.ts';
import { type JudgedId, weightOf } from '../../check/weight.ts';

/** `seq` of the entries that the verdicts name as evidence, by what was played. */
export type FakeSeen = Record<'link' | 'returning' | 'wrongCode' | 'logout' | 'hang' | 'crowd', number[]>;

type About = { requirement: JudgedId; scenario: string; title?: string };

function verdict(check: string, about: About, finding: Finding): Verdict {
  const { requirement, scenario, title = `${check} holds` } = about;
  const { part, level } = weightOf([requirement]);
  const named = { check, title, part, level, requirements: [requirement], scenarios: [scenario] };
  const isWarning = finding.outcome === 'fail' && level === 'SHOULD';
  return { ...named, outcome: isWarning ? 'warning' : finding.outcome, finding } as Verdict;
}

const passed = (evidence: number[]): Finding => ({ outcome: 'pass', evidence });
const failed = (evidence: number[], expected: string, actual: string, advice: string): Finding => {
  return { outcome: 'fail', blame: 'auth server', expected, actual, evidence, advice };
};
const notApplicable = (because: string): Finding => ({ outcome: 'not applicable', because });

export function verdictsOf(seen: FakeSeen): Verdict[] {
  const first: About = {
    title: 'The EHR server has acknowledged the exchange token before the client is given it',
    requirement: '1-exchange-token-ehr-first',
    scenario: 'first-link',
  };
  return [
    verdict('exchange-token-ehr-first', first, passed(seen.link)),
    ...wrongOf(seen),
    ...undecidedOf(seen),
    verdict('no-cross-talk', { requirement: '4.2-asking-session', scenario: 'crowd' }, passed(seen.crowd)),
    ...PASSING.map(([check, requirement]) =>
      verdict(check, { requirement, scenario: 'first-link' }, passed(seen.link)),
    ),
  ];
}

function wrongOf(seen: FakeSeen): Verdict[] {
  return [
    verdict(
      'auth-info-ttl',
      { title: 'authInfo.ttl is a whole number of minutes', requirement: '2.3-ttl', scenario: 'first-link' },
      failed(
        seen.returning,
        'a JSON integer',
        'the string "86400", in 6 of 6 calls',
        'Send ttl as a JSON number, in minutes: 1440, not "86400".',
      ),
    ),
    verdict(
      'session-dead-after-logout',
      { requirement: '4.2-asking-session', scenario: 'logout' },
      failed(
        seen.logout,
        'a refusal, and no call to the EHR server',
        'an exchange token was given for the session that had ended, and the EHR server was sent it',
        'End the session when the client logs out, and look it up before anything is done on its behalf.',
      ),
    ),
    verdict(
      'answer-in-time',
      { requirement: 'K-repeats-bounded', scenario: 'exchange-token-trouble' },
      failed(
        seen.hang,
        'an answer to the client within 15 s',
        'none within 30 s, while the EHR server did not answer',
        'Give the calls to the EHR server a timeout, and answer the client with an error then.',
      ),
    ),
    verdict(
      'resend-limited',
      { requirement: 'K-code-cap', scenario: 'wrong-codes' },
      failed(
        seen.wrongCode,
        'a refusal at some point',
        '20 codes were sent to one phone within a second',
        'Put a pause between two codes to one phone.',
      ),
    ),
  ];
}

function undecidedOf({ wrongCode: evidence }: FakeSeen): Verdict[] {
  const because =
    'the right code was not accepted in the same run, so the refusal of the wrong one shows nothing';
  return [
    verdict(
      'wrong-code-refused',
      { requirement: '1-confirm-then-store', scenario: 'wrong-codes' },
      { outcome: 'inconclusive', because, evidence, blame: 'auth server' },
    ),
    verdict(
      'session-dead-after-deletion',
      { requirement: 'K-deletion-forgets', scenario: 'deletion' },
      notApplicable('the adapter declares that the server has no step deleteUser'),
    ),
    verdict(
      'no-correspondence',
      { requirement: '1-no-correspondence-error', scenario: 'deletion' },
      notApplicable('the adapter names no phone without a correspondence entry'),
    ),
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
