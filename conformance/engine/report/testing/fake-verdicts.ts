/** For tests: forty verdicts of every outcome on the fake run. */
import type { Finding, Verdict } from '../../check/verdict.ts';

/** The evidence of each finding: `seq` of entries of the run. */
export type Seen = Record<
  'link' | 'returning' | 'tokens' | 'wrongCode' | 'logout' | 'reset' | 'hang' | 'crowd',
  number[]
>;

const pass = (evidence: number[]): Finding & { outcome: 'pass' } => ({ outcome: 'pass', evidence });

const about = (
  check: string,
  title: string,
  requirements: Verdict['requirements'],
  scenario: string,
  level: Verdict['level'] = 'MUST',
) => ({ check, title, level, requirements, scenarios: [scenario] });

export function verdictsOf(seen: Seen): Verdict[] {
  const [first, ...others] = rightOf(seen) as [Verdict, ...Verdict[]];
  return [first, ...wrongOf(seen), ...undecidedOf(seen), ...others];
}

/** What the server got wrong. */
function wrongOf(seen: Seen): Verdict[] {
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
  ];
}

/** What could not be judged. */
function undecidedOf(seen: Seen): Verdict[] {
  return [
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
  ];
}

/** What passed. */
function rightOf(seen: Seen): Verdict[] {
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
