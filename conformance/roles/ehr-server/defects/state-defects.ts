/**
 * Defects of the state of an EHR server: of links, sessions and exchange tokens. The checks that must find
 * them play drawn sequences of calls and compare the answers with a model of the state table. A text `id:
 * title` begins a defect; its change follows.
 */
import { refused } from '../../../engine/defects/operators.ts';
import { no } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../self-test/serve.ts';
import { after, saysYes, success, withStore } from './changes.ts';
import { foundBy } from './defect.ts';
import { repliesAgain } from './linking/exchange-token-defects.ts';
import { AUTHENTICATE, READ, SAVE } from './methods.ts';
import { cachesReads, disconnectKeepsLink } from './sessions/session-changes.ts';

/** Failed matches that a right server allows with one exchange token. */
const MAX_FAILURES = 5;

/** Count each failed match so many times. */
const countsTimes = (times: number): EhrChange =>
  withStore((store) => ({
    async countFailure(attempt) {
      const first = await store.countFailure(attempt);
      for (let more = 1; more < times; more++) await store.countFailure(attempt);
      return first;
    },
  }));

export const stateDefects = foundBy({
  'follows-state-table': [
    'state-any-signature-saves: A session is saved with the signature of anybody',
    saysYes(SAVE, 'not_authorized'),
    'state-logout-unseen: A session that was read goes on reading after its logout',
    cachesReads,
    'state-exchange-token-without-end: An expired exchange token opens',
    saysYes(AUTHENTICATE, 'exchange_token_expired'),
    'state-used-token-opens: An exchange token that was used opens again',
    repliesAgain,
    'state-session-without-end: An expired session goes on reading',
    saysYes(READ, 'session_expired'),
    'state-link-outlives-removal: Sessions are saved for a link that was removed',
    disconnectKeepsLink,
    'state-expired-token-saved: The token of an expired session is saved again',
    after(refused(SAVE, 'token_already_stored'), (turn) =>
      turn.seen.refused(READ, 'session_expired').some(({ cred }) => cred.token === turn.authInfo.token)
        ? success(turn)
        : undefined,
    ),
  ],
  'state-table-refuses-within': [
    'state-one-attempt-alone: The first failed match uses up the exchange token',
    countsTimes(MAX_FAILURES),
  ],
  'state-table-codes': [
    'nobody-fits-as-no-session: Properties that fit nobody have the error of no session',
    after(refused(AUTHENTICATE, 'patient_not_matched'), () => no('not_authorized')),
    'repeated-save-by-other-code: A repeated save has the error of a repeated exchange token',
    after(refused(SAVE, 'token_already_stored'), () => no('exchange_token_already_stored')),
  ],
});
