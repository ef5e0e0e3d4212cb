/**
 * Harmless variants of the EHR server that decide otherwise where the interface is silent. No check of the
 * interface, and nothing essential, may fail for them. A text `id: title` begins a variant; its change of the
 * right server follows. `told` names the lighter checks that must find the difference.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { type Members, membersOf, no } from '../../../../engine/defects/rpc-call.ts';
import {
  after,
  before,
  both,
  type EhrTurn,
  inError,
  inResults,
  instead,
  patientFitting,
  pendingOf,
  sessionOfHash,
  success,
  withStore,
} from '../changes.ts';
import { harmlessOf } from '../defect.ts';
import { AUTHENTICATE, RECORDS, SAVE, SAVE_EXCHANGE_TOKEN, SAVES } from '../methods.ts';
import { endsFurther } from '../sessions/session-changes.ts';

/** 128 bits. */
const SHORT_SIGN_BYTES = 16;

const MAX_TOKEN_LENGTH = 64;

const hasBlanks = (value: unknown) => typeof value === 'string' && value !== value.trim();

/** The same members, without blanks around those that are texts. */
const trimmed = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );

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
  {
    told: [
      ...['several-sessions-of-one-user', 'logout-ends-one-of-all', 'signature-kept-at-relogin'],
      ...['logout-ends-its-exchange-tokens', 'disconnect-ends-exchange-tokens'],
      ...['live-session-keeps-its-end', 'code-of-session-expired', 'state-table-as-decided'],
    ],
  },
  'unknown-members-refused: A call with unknown members in params, authInfo or cred is refused',
  instead(ANY, ({ call, params, authInfo, cred }) =>
    hasOthers(params, KNOWN) ||
    hasOthers(authInfo, KNOWN_OF_SESSION) ||
    (call.method === AUTHENTICATE && Object.keys(cred).length > 0)
      ? no('invalid_params')
      : undefined,
  ),
  { told: ['empty-params-taken', 'ambiguous-json-refused', 'code-of-not-authorized'] },
  'signatures-of-128-bits: A user_sign has 128 bits',
  withStore((store, { random }) => ({
    link: (request) => store.link({ ...request, newUserSign: randomToken(random, SHORT_SIGN_BYTES) }),
  })),
  { told: ['signature-random'] },
  'signature-for-life: A user keeps one user_sign, whatever becomes of the link',
  withStore((store, { seen }) => ({
    link(request) {
      const user = sessionOfHash(seen, request.exchangeToken)?.user ?? '';
      return store.link({ ...request, newUserSign: bytesToHex(hashToken(`secret of this server ${user}`)) });
    },
  })),
  { told: ['new-link-new-signature'] },
  'cred-looked-at-first: A call of an unknown method without a cred is refused as not authorized',
  after(refused(ANY, 'method_not_found'), ({ call }) =>
    membersOf(call.cred).token === undefined ? no('not_authorized') : undefined,
  ),
  { told: ['unknown-method-refused', 'published-names-not-served', 'order-of-checks'] },
  'exchange-token-taken-again: An exchange token that is saved again for its own session is acknowledged',
  after(refused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'), (turn) => {
    const { params, authInfo, seen } = turn;
    const stored = seen.exchangeTokens.get(String(params.exchangeToken));
    return stored?.token === authInfo.token && stored?.user === authInfo.user ? success(turn) : undefined;
  }),
  { told: ['exchange-token-stored-once-at-once', 'state-table-as-decided'] },
  'repeated-save-fails: A repeated save is refused by an internal error',
  after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
  { told: ['late-calls-refused', 'code-of-token-already-stored', 'state-table-as-decided'] },
  'sign-inside-patient: user_sign stands in the patient record, and userSign beside it',
  inResults(RECORDS, ({ patient, user_sign, userSign }) => ({
    patient: { ...membersOf(patient), user_sign },
    userSign,
  })),
  { told: ['same-reply-of-both'] },
  'several-fit-told: Who fits several patients is told so, and opens none',
  after(refused(AUTHENTICATE, 'patient_not_matched'), async (turn) =>
    (await patientFitting(turn)) ? inError(turn.reply, { message: 'Please ask at the desk.' }) : undefined,
  ),
  { told: ['ambiguous-answered-like-nobody'] },
  'tokens-of-64-at-most: A session token or an exchange token of more than 64 characters is refused',
  instead(SAVES, ({ params, authInfo }) =>
    [params.exchangeToken, authInfo.token].some((token) => String(token ?? '').length > MAX_TOKEN_LENGTH)
      ? no('invalid_params')
      : undefined,
  ),
  { notPlayable: ['long-sessions-kept-apart', 'long-exchange-tokens-kept-apart'] },
  'tokens-trimmed: Blanks around a token or a user of the client are cut off',
  before(
    ({ cred, params }) => [cred.user, cred.token, params.exchangeToken].some(hasBlanks),
    ({ call, cred, params }) =>
      SAVES.includes(call.method) ? undefined : { ...call, cred: trimmed(cred), params: trimmed(params) },
  ),
  { told: ['session-token-with-blanks-refused', 'exchange-token-with-blanks-refused'] },
]);
