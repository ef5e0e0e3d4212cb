/**
 * Harmless variants of the EHR server that decide otherwise where the interface is silent. No check of the
 * interface, and nothing essential, may fail for them. A text `id: title` begins a variant; its change of the
 * right server follows. `told` names the lighter checks that must find the difference.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { type Members, membersOf, no } from '../../../../engine/defects/rpc-call.ts';
import {
  after,
  both,
  type EhrTurn,
  inResults,
  instead,
  pendingOf,
  sessionOfHash,
  success,
  withStore,
} from '../changes.ts';
import { harmlessOf } from '../defect.ts';
import { AUTHENTICATE, RECORDS, SAVE, SAVE_EXCHANGE_TOKEN, SAVES } from '../methods.ts';
import { endsFurther } from '../sessions/session-changes.ts';

const MAX_TOKEN_LENGTH = 64;

/** The sessions of a user but the one of this token. */
const othersOf = ({ seen }: EhrTurn, user: unknown, own: unknown) =>
  seen.tokensOf(user).filter((token) => token !== own);

/** A new session of a user ends the others. */
const oneSession = both(
  endsFurther(SAVE, (turn) => othersOf(turn, turn.authInfo.user, turn.authInfo.token)),
  endsFurther(AUTHENTICATE, (turn) => {
    const pending = pendingOf(turn);
    return pending ? othersOf(turn, pending.user, pending.token) : [];
  }),
);

/** The members of params and authInfo that the interface and the clients of the field have. */
const KNOWN = ['authInfo', 'exchangeToken', 'patientProperties', 'searchStrategy', 'medCardId'];
const KNOWN_OF_SESSION = ['user', 'token', 'ttl', 'created'];
const hasOthers = (members: Members, known: readonly string[]) =>
  Object.keys(members).some((name) => !known.includes(name));

export const otherPolicies = harmlessOf([
  'one-session-for-each-user: A user has one session, the newest',
  oneSession,
  { told: ['logout-ends-its-exchange-tokens', 'disconnect-ends-exchange-tokens'] },
  'unknown-members-refused: A call with unknown members in params, authInfo or cred is refused',
  instead(ANY, ({ call, params, authInfo, cred }) =>
    hasOthers(params, KNOWN) ||
    hasOthers(authInfo, KNOWN_OF_SESSION) ||
    (call.method === AUTHENTICATE && Object.keys(cred).length > 0)
      ? no('invalid_params')
      : undefined,
  ),
  'signature-for-life: A user keeps one user_sign, whatever becomes of the link',
  withStore((store, { seen }) => ({
    link(request) {
      const user = sessionOfHash(seen, request.exchangeToken)?.user ?? '';
      return store.link({ ...request, newUserSign: bytesToHex(hashToken(`secret of this server ${user}`)) });
    },
  })),
  'exchange-token-taken-again: An exchange token that is saved again for its own session is acknowledged',
  after(refused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'), (turn) => {
    const { params, authInfo, seen } = turn;
    const stored = seen.exchangeTokens.get(String(params.exchangeToken));
    return stored?.token === authInfo.token && stored?.user === authInfo.user ? success(turn) : undefined;
  }),
  'repeated-save-fails: A repeated save is refused by an internal error',
  after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
  { told: ['late-calls-refused', 'state-table-codes'] },
  'sign-inside-patient: user_sign stands in the patient record, and userSign beside it',
  inResults(RECORDS, ({ patient, user_sign, userSign }) => ({
    patient: { ...membersOf(patient), user_sign },
    userSign,
  })),
  'tokens-of-64-at-most: A session token or an exchange token of more than 64 characters is refused',
  instead(SAVES, ({ params, authInfo }) =>
    [params.exchangeToken, authInfo.token].some((token) => String(token ?? '').length > MAX_TOKEN_LENGTH)
      ? no('invalid_params')
      : undefined,
  ),
  { notPlayable: ['long-sessions-kept-apart', 'long-exchange-tokens-kept-apart'] },
]);
