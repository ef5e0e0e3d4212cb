import { testSample } from '../../../testing/sample-self-test.ts';
import { catalogue } from './self-test.ts';

testSample(catalogue, {
  defects: [
    ...['digest-upper-case', 'secret-first', 'sign-secret-first', 'password-in-header'],
    ...['ttl-in-hours', 'token-before-ehr', 'follows-redirects', 'get-carried-out'],
    ...['phone-alone', 'code-accepted-twice', 'tries-by-claimed-address', 'cookie-for-any-origin'],
  ],
  harmless: ['members-reversed', 'repeats-lost-calls'],
  scenarios: ['first-link', 'returning-user', 'logout'],
});
