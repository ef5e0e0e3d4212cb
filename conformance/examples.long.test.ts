/** The whole run on a right server of another make. Whole on the mock: roles/auth-server/checks.test.ts. */
import { expect, test } from 'vitest';
import { example, judged } from './testing/cli.ts';

/** Eight times the minute that a whole run takes on a busy machine. */
const RUN = { timeout: 480_000 };

/** Checks that apply only where the guesses are made before a short pause, or the life of a code, is over. */
const JUDGED_ON_A_FAST_MACHINE = [
  'tries-kept-beside-others',
  'tries-limited',
  'tries-limited-from-claimed-addresses',
  'tries-survive-refused-request',
];

/**
 * Checks that the right server of another make does not pass. Its clients send no user beside the bearer
 * token, so there are no two parts that could be mixed, and no entry of its correspondence table can be
 * removed. Its clock cannot be moved, so steps that take hours are left out. Started like this it keeps
 * nothing, so it is not restarted. It accepts no batches, and the kit uses plain HTTP, which has no
 * certificates.
 */
const NOT_APPLICABLE = [
  'deletion-kept-over-restart',
  'entry-of-own-phone',
  'exchange-token-not-given-again',
  'expired-session-not-saved',
  'expired-session-refused',
  'foreign-certificate-refused',
  'link-kept-over-restart',
  'linked-users-admitted-after-restart',
  'logout-kept-over-restart',
  'messages-capped',
  'mixed-session-refused',
  'other-name-refused',
  'report-for-own-session',
  'session-end-kept-over-restart',
  'session-lives-as-told',
  'tries-limited-in-batch',
  'tries-limited-in-every-spelling',
  'used-code-kept-over-restart',
];

test('a right server of another make is conformant', RUN, async () => {
  const { code, output, verdicts, summary } = await judged('auth-server', example('plain-js.yaml'));
  expect(output).toMatch(/^Interface +conformant \(/m);
  expect(code).toBe(0);
  const isLeftOut = ({ check, outcome }: { check: string; outcome: string }) =>
    ['not applicable', 'inconclusive'].includes(outcome) && JUDGED_ON_A_FAST_MACHINE.includes(check);
  const notPassed = verdicts.filter((each) => each.outcome !== 'pass' && !isLeftOut(each));
  expect(notPassed.map(({ check }) => check).sort()).toEqual(NOT_APPLICABLE);
  expect(summary).toMatchObject({ conclusion: 'conformant', finished: true });
});
