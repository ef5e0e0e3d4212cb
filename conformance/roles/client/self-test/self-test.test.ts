import { testSample } from '../../../testing/sample-self-test.ts';
import { SHOWN_IN } from '../flows/every-step/rules.ts';
import { clientCatalogue } from './self-test.ts';

testSample(clientCatalogue, {
  defects: [
    ...['auth-first', 'form-to-auth', 'surname-split-over-calls', 'exchange-token-kept', 'token-on-screen'],
    ...['record-kept-after-logout', 'late-record-for-another', 'error-without-code-is-link'],
    ...['disconnects-when-nobody-fits', 'birthday-a-day-off', 'date-without-time', 'deletion-at-auth-only'],
  ],
  harmless: ['replies-taken-by-http', 'signature-not-kept'],
  // In these a difference would show, or the client meets its signature.
  scenarios: [...SHOWN_IN, 'user-sign-outlives-session', 'replayed-sign-in-refused'],
});
