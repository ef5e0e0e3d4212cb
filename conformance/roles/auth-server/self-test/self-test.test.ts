import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { named, testSample } from '../../../testing/sample-self-test.ts';
import { judge } from '../../judge.ts';
import { catalogue } from './self-test.ts';

testSample(catalogue, {
  // Some of each kind: in digests and secrets, in other calls and HTTP, in codes, phones and cookies.
  defects: [
    ...['digest-upper-case', 'secret-first', 'sign-secret-first', 'password-in-header'],
    ...['ttl-in-hours', 'token-before-ehr', 'follows-redirects', 'get-carried-out'],
    ...['phone-alone', 'code-accepted-twice', 'tries-by-claimed-address', 'cookie-for-any-origin'],
  ],
  harmless: ['members-reversed', 'repeats-lost-calls'],
  // In these the server makes both of its calls, and ends a session.
  scenarios: ['first-link', 'returning-user', 'logout'],
});

test('a server may send a code again while the code is valid', async () => {
  const { scenarios, id } = named(catalogue.checks, 'superseded-code-refused');
  const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
  const run = await catalogue.play(named(catalogue.harmless, 'same-code-again'), options, { scenarios });
  // The server has done it, no check calls that a fault, and that of the older code has nothing to judge.
  expect(run.entries.some((entry) => entry.kind === 'code' && entry.facts.again)).toBe(true);
  const verdicts = judge(run);
  expect(verdicts.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  expect(verdicts.find(({ check }) => check === id)?.outcome).toBe('not applicable');
});
