import { testSample } from '../../../testing/sample-self-test.ts';
import { catalogue } from './self-test.ts';

testSample(catalogue, {
  defects: [
    ...['secret-first', 'sign-secret-first', 'follows-redirects', 'tries-by-claimed-address'],
    ...['password-in-header', 'phone-alone'],
  ],
  harmless: ['members-reversed'],
  scenarios: ['first-link', 'returning-user', 'logout'],
});
