/** Defects of the state of an EHR server, one call after another and at the same moment. */
import { refused } from '../../../engine/defects/operators.ts';
import { inEnvelope, no, type RpcCall, replyIdOf } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  aMoment,
  around,
  foundBy,
  joined,
  READ,
  SAVE,
  saysYes,
  success,
  withStore,
} from './changes.ts';
import { bodyOf } from './messages/http-defects.ts';
import { disconnectKeepsLink } from './sessions/session-defects.ts';

/** Failed matches that a right server allows with one exchange token. */
const MAX_FAILURES = 5;

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
  ],
});

const countsLate = around(AUTHENTICATE, async ({ params, parts, seen, next }) => {
  const attempts = seen.notes<number>('attempts');
  const count = attempts.get(params.exchangeToken) ?? 0;
  await aMoment(parts);
  attempts.set(params.exchangeToken, count + 1);
  return count < MAX_FAILURES ? no('patient_not_matched') : next();
});

const countsBatchesOnce: EhrChange = {
  pipeline: (pipeline) => async (text, channel) => {
    const body = bodyOf(text);
    const calls = Array.isArray(body) ? (body as RpcCall[]) : [];
    if (calls[0]?.method !== AUTHENTICATE) return pipeline(text, channel);
    await pipeline(JSON.stringify(calls[0]), channel);
    return {
      body: JSON.stringify(calls.map((call) => inEnvelope(no('patient_not_matched'), replyIdOf(call)))),
    };
  },
};

export const raceDefects = foundBy({
  'exchange-token-opened-once-at-once': [
    'exchange-token-redeemed-twice: One exchange token opens as often as it is used at the same moment',
    joined(AUTHENTICATE, ({ params }) => params.exchangeToken),
  ],
  'token-stored-once-at-once': [
    'token-stored-by-several: One session token is stored as often as it comes at the same moment',
    joined(SAVE, ({ authInfo }) => authInfo.token),
  ],
  'guesses-counted-at-once': [
    'guesses-counted-late: Failures of an exchange token at the same moment are counted as one',
    countsLate,
  ],
  'guesses-counted-in-batch': [
    'guesses-of-batch-counted-once: Failures of an exchange token in one batch are counted as one',
    countsBatchesOnce,
  ],
});
