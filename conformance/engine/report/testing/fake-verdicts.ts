/** For tests: forty verdicts of every outcome on the fake run. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Finding, Verdict } from '../../check/verdict.ts';

/** The evidence of each finding: `seq` of entries of the run. */
export type FakeSeen = Record<
  'link' | 'returning' | 'tokens' | 'wrongCode' | 'logout' | 'reset' | 'hang' | 'crowd',
  number[]
>;

type About = readonly [
  check: string,
  title: string,
  requirement: RequirementId,
  scenario: string,
  level?: Verdict['level'],
];

function verdict(about: About, finding: Finding, outcome: Verdict['outcome'] = finding.outcome): Verdict {
  const [check, title, requirement, scenario, level = 'MUST'] = about;
  return {
    check,
    title,
    level,
    requirements: [requirement],
    scenarios: [scenario],
    outcome,
    finding,
  } as Verdict;
}

const passed = (evidence: number[]): Finding => ({ outcome: 'pass', evidence });
const failed = (evidence: number[], about: { expected: string; actual: string; advice: string }): Finding => {
  return { outcome: 'fail', blame: 'auth server', evidence, ...about };
};
const notApplicable = (because: string): Finding => ({ outcome: 'not applicable', because });

/** A pass, then what the server got wrong, what could not be judged, and all else that passed. */
export function verdictsOf(seen: FakeSeen): Verdict[] {
  return [
    verdict(
      [
        'exchange-token-ehr-first',
        'The EHR server has acknowledged the exchange token before the client is given it',
        '1-exchange-token-ehr-first',
        'first-link',
        'SHOULD',
      ],
      passed(seen.link),
    ),
    ...wrongOf(seen),
    ...undecidedOf(seen),
    verdict(
      ['no-cross-talk', 'Fifty users at once get each their own', '4.2-asking-session', 'crowd'],
      passed(seen.crowd),
    ),
    verdict(
      ['survives-reset', 'After a reset the next attempt works', '4.2-params', 'exchange-token-trouble'],
      passed(seen.reset),
    ),
    ...PASSING.map(([check, title, requirement], index) =>
      verdict([check, title, requirement, 'first-link'], passed(index % 3 === 0 ? seen.tokens : seen.link)),
    ),
  ];
}

function wrongOf(seen: FakeSeen): Verdict[] {
  return [
    verdict(
      ['auth-info-ttl', 'authInfo.ttl is a whole number of minutes', '2.3-ttl', 'first-link'],
      failed(seen.returning, {
        expected: 'a JSON integer',
        actual: 'the string "86400", in 6 of 6 calls',
        advice: 'Send ttl as a JSON number, in minutes: 1440, not "86400".',
      }),
    ),
    verdict(
      ['session-dead-after-logout', 'After a logout the session opens nothing', 'DA-logout', 'logout'],
      failed(seen.logout, {
        expected: 'a refusal, and no call to the EHR server',
        actual: 'an exchange token was given for the session that had ended, and the EHR server was sent it',
        advice:
          'End the session when the client logs out, and look it up before anything is done on its behalf.',
      }),
    ),
    verdict(
      [
        'answer-in-time',
        'When the EHR server hangs, the client is answered in time',
        '4.2-params',
        'exchange-token-trouble',
        'SHOULD',
      ],
      failed(seen.hang, {
        expected: 'an answer to the client within 15 s',
        actual: 'none within 30 s, while the EHR server did not answer',
        advice: 'Give the calls to the EHR server a timeout, and answer the client with an error then.',
      }),
      'warning',
    ),
    verdict(
      [
        'resend-limited',
        'Codes cannot be requested without limit',
        '1-phone-confirmed',
        'wrong-codes',
        'ADVICE',
      ],
      failed(seen.wrongCode, {
        expected: 'a refusal at some point',
        actual: '20 codes were sent to one phone within a second',
        advice: 'Put a pause between two codes to one phone.',
      }),
      'warning',
    ),
  ];
}

function undecidedOf(seen: FakeSeen): Verdict[] {
  return [
    verdict(
      [
        'wrong-code-refused',
        'A wrong code is refused for being wrong',
        '1-confirm-then-store',
        'wrong-codes',
      ],
      {
        outcome: 'inconclusive',
        because:
          'the right code was not accepted in the same run, so the refusal of the wrong one shows nothing',
        evidence: seen.wrongCode,
        blame: 'auth server',
      },
    ),
    verdict(
      [
        'session-dead-after-deletion',
        'After a deletion the session opens nothing',
        'DA-delete-user',
        'deletion',
      ],
      notApplicable('the adapter declares that the server has no step deleteUser'),
    ),
    verdict(
      ['no-correspondence', 'A user without an entry is told so', '1-no-correspondence-error', 'deletion'],
      notApplicable('the adapter names no phone without a correspondence entry'),
    ),
  ];
}

const PASSING: readonly [string, string, RequirementId][] = [
  [
    'exchange-token-known-to-ehr',
    'Each exchange token given was sent to the EHR server',
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
