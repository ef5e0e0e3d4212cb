import { testSample } from '../../../testing/sample-self-test.ts';
import { catalogue } from './self-test.ts';

// More of them: self-test.long.test.ts.
testSample(catalogue, {
  defects: [
    ...['digest-upper-case', 'ttl-in-hours', 'token-before-ehr'],
    ...['get-carried-out', 'code-accepted-twice', 'cookie-for-any-origin'],
  ],
  harmless: ['repeats-lost-calls'],
  scenarios: ['first-link', 'returning-user', 'logout'],
});
