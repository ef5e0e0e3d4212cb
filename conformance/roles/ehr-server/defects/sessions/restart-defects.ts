/**
 * Defects of an EHR server that show at a restart: what it had acknowledged is gone, or what it had ended is
 * back. The notes of the ledger stand for the memory of the process; `forgets` loses them at a restart. A key
 * is the check that must find the defects below it. A text `id: title` begins a defect; its change of the
 * right server follows.
 */

import type { TokenHash } from '#ehr-server/store/store.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { done, refused } from '../../../../engine/defects/operators.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { after, both, forgets, sessionOfHash, success, withStore } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

/** Keep sessions in memory alone: after a restart they are not found. */
const losesSessions: EhrChange = {
  ...withStore((store, { seen }) => {
    const keep = (hash: TokenHash) => seen.notes('sessions').set(String(hash), true);
    return {
      findSession: (hash) => (seen.notes('sessions').has(String(hash)) ? store.findSession(hash) : undefined),
      saveSession(session, ...rest) {
        keep(session.tokenHash);
        return store.saveSession(session, ...rest);
      },
      link(request) {
        keep(hashToken(sessionOfHash(seen, request.exchangeToken)?.token ?? ''));
        return store.link(request);
      },
    };
  }),
  ...forgets('sessions'),
};

/** End a session, or all sessions of a user, in memory alone: after a restart they are back. */
const endsInMemory = (method: 'removeSession' | 'removeUser'): EhrChange => ({
  ...withStore((store, { seen }) => ({
    findSession: (hash) => (seen.notes('ended').has(String(hash)) ? undefined : store.findSession(hash)),
    // `set` returns the map, whose size is above 0: the removal says that it found the session.
    [method]: async (hash: TokenHash) => seen.notes('ended').set(String(hash), true).size > 0,
  })),
  ...forgets('ended'),
});

/** Know in memory alone which exchange tokens are used up: after a restart they can be saved again. */
const forgetsUsed: EhrChange = {
  ...both(
    after(done(AUTHENTICATE), ({ params, seen }) => void seen.notes('used').set(params.exchangeToken, true)),
    after(refused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'), (turn) => {
      const { exchangeToken } = turn.params;
      const isForgotten =
        turn.seen.used.has(String(exchangeToken)) && !turn.seen.notes('used').has(exchangeToken);
      return isForgotten ? success(turn) : undefined;
    }),
  ),
  ...forgets('used'),
};

export const restartDefects = foundBy({
  'ended-over-restart': [
    'exchange-tokens-forgotten: An exchange token that was used is saved again after a restart',
    forgetsUsed,
    'logout-in-memory: A session that was logged out is back after a restart',
    endsInMemory('removeSession'),
    'disconnect-in-memory: A link that was removed is back after a restart, with its session',
    endsInMemory('removeUser'),
  ],
  'kept-over-restart': ['sessions-in-memory: Sessions are gone after a restart', losesSessions],
});
