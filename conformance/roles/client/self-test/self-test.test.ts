import { testSample } from '../../../testing/sample-self-test.ts';
import { SHOWN_IN } from '../flows/every-step/rules.ts';
import { clientCatalogue } from './self-test.ts';

testSample(clientCatalogue, {
  defects: [
    ...['auth-first', 'success-told-at-failure', 'deletion-at-auth-only', 'session-kept-after-logout'],
    ...['record-kept-after-logout', 'form-to-auth', 'exchange-token-to-auth', 'signature-to-ehr'],
    ...['token-in-address', 'code-as-number', 'gender-made-up', 'date-without-time'],
  ],
  harmless: ['ids-as-text', 'signature-by-its-other-name'],
  scenarios: SHOWN_IN,
});
