import { testSample } from '../../../testing/sample-self-test.ts';
import { SHOWN_IN } from '../flows/every-step/rules.ts';
import { clientCatalogue } from './self-test.ts';

testSample(clientCatalogue, {
  // One of each kind that one scenario shows, and one that needs every kind of call. The self-test plays all.
  defects: [
    ...['form-to-auth', 'auth-first', 'exchange-token-kept', 'form-shown-for-record'],
    ...['ids-must-be-texts', 'apostrophe-dropped', 'error-without-code-is-link'],
  ],
  harmless: ['signature-not-kept'],
  // In these a difference would show, or the client meets its signature.
  scenarios: [...SHOWN_IN, 'user-sign-outlives-session', 'replayed-sign-in-refused'],
});
