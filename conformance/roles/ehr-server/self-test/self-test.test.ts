import { testSample } from '../../../testing/sample-self-test.ts';
import { ehrCatalogue } from './self-test.ts';

testSample(ehrCatalogue, {
  defects: [
    ...['foreign-session-opened', 'used-token-replies-again', 'session-without-end', 'names-by-beginning'],
    ...['logout-cached', 'disconnect-keeps-link', 'session-saves', 'digest-reads', 'token-unique-per-user'],
    ...['first-of-several', 'exchange-tokens-forgotten', 'without-jsonrpc'],
  ],
  harmless: ['people-of-the-least', 'relatives-described'],
  scenarios: [
    ...['exchange-token-used-once', 'save-opens-linked-user', 'no-session-no-data'],
    ...['disconnect-removes-link', 'ambiguous-not-matched', 'repeated-save-refused'],
  ],
});
