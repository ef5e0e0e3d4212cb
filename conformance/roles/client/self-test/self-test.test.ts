import { testSample } from '../../../testing/sample-self-test.ts';
import { EVERY_CALL } from '../flows/every-step/rule.ts';
import { clientCatalogue } from './self-test.ts';

testSample(clientCatalogue, {
  // One scenario shows each of them but the first, which needs every kind of call.
  defects: [
    ...['form-to-auth', 'auth-first', 'exchange-token-kept', 'form-sent-twice', 'form-shown-for-record'],
    ...['error-without-code-is-link', 'ids-must-be-texts', 'apostrophe-dropped', 'markup-run'],
    ...['record-not-asked-for-again', 'disconnect-deletes-account', 'session-kept-after-deletion'],
  ],
  harmless: ['replies-taken-by-http', 'signature-not-kept'],
  // In these a difference would show, or the client meets its signature.
  scenarios: [
    ...EVERY_CALL,
    ...['exchange-token-renewed', 'form-after-refusal', 'disconnect-alone', 'replies-of-other-servers'],
    ...['user-sign-outlives-session', 'replayed-sign-in-refused'],
  ],
});
