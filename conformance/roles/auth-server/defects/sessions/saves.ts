/** Defects in which sessions are saved, when, and what follows when a save is refused. */
import { randomToken } from '#protocol/time/random.ts';
import { errorTable, RpcError } from '#protocol/wire/errors.ts';
import { onceMore } from '../calls/outgoing.ts';
import type { Change, Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
  announces,
  before,
  CONFIRM,
  forgetSign,
  later,
  type MockTurn,
  REPORT,
  REQUEST,
  saves,
  sessionsOf,
  userOf,
  withParams,
} from '../operators.ts';

const NOT_AUTHORIZED = errorTable.not_authorized.code;
const USER_UNKNOWN = errorTable.user_unknown.code;
const TOKEN_STORED = errorTable.token_already_stored.code;
/** Error codes with which the EHR server refuses the signature of a link that was removed. */
const GONE: readonly number[] = [NOT_AUTHORIZED, USER_UNKNOWN];
const INTERNAL_ERROR = { code: errorTable.internal_error.code };

/** How a save ended: the error of the EHR server, or undefined when it succeeded. */
type Refusal = Awaited<ReturnType<Mock['ehr']['saveAuthInfo']>>;
/** The session that is saved: user, token and ttl. */
type Info = Parameters<Mock['ehr']['saveAuthInfo']>[0];

/** When the EHR server refuses a save with one of these error codes, acts as if `other` were the outcome. */
const takes = (codes: readonly number[], other: (mock: Mock, info: Info, sign: string) => Refusal): Change =>
  saves((save, mock) => async (info, sign) => {
    const refusal = await save(info, sign);
    return refusal && codes.includes(refusal.code) ? other(mock, info, sign) : refusal;
  });

async function saveAhead(turn: MockTurn): Promise<undefined> {
  const { store, ehr, random, config } = turn.parts;
  const { ehr_user_sign: carried } = turn.params;
  const user = userOf(turn);
  const sign = typeof carried === 'string' ? carried : store.directory.entryOf(user ?? '')?.userSign;
  if (user && sign)
    await ehr.saveAuthInfo({ user, token: randomToken(random), ttl: config.sessionTtl }, sign);
}

/** Answers before the EHR server is called, and forgets a signature that it refuses then. */
const savesLater = saves((save, mock) => async (info, sign) => {
  later(mock, LATE_MS, async () => {
    const refusal = await save(info, sign).catch(() => undefined);
    if (refusal && GONE.includes(refusal.code)) forgetSign(mock, info.user);
  });
  return undefined;
});

/** How long (ms) after the answer a session is saved. */
const LATE_MS = 200;

export const saveDefects = foundBy({
  'returning-user-saved-directly': [
    'returning-user-not-saved: A returning user is not saved at the EHR server',
    before(CONFIRM, (turn) => {
      const { directory } = turn.parts.store;
      const user = userOf(turn) ?? '';
      const sign = directory.entryOf(user)?.userSign;
      if (sign) directory.replaceUserSign(user, sign, null);
      return withParams(turn.call, { ehr_user_sign: undefined });
    }),
  ],
  'second-returning-user-saved-directly': [
    'one-returning-user: Only the first user who returns is saved at the EHR server',
    saves((save, { ledger }) => async (info, sign) => {
      const first = ledger.notes<string>('first user saved');
      if (!first.has('')) first.set('', info.user);
      return first.get('') === info.user ? save(info, sign) : undefined;
    }),
  ],
  'returning-user-reads-record': [
    'other-token-saved: The session saved at the EHR server has another token than the client',
    saves((save) => (info, sign) => save({ ...info, token: `${info.token.slice(1)}x` }, sign)),
  ],
  'saved-before-answer': [
    'saves-after-answer: A session is saved a moment after the client was answered',
    savesLater,
  ],
  'link-recorded': [
    'link-not-recorded: A reported link is not recorded at the EHR server',
    saves(() => async () => undefined),
  ],
  'no-save-before-confirmation': [
    'saves-when-code-requested: The session of a linked user is saved when the code is requested',
    before(REQUEST, saveAhead),
    'saves-before-comparing: The session of a linked user is saved before the code is compared',
    before(CONFIRM, saveAhead),
  ],
  'saved-session-is-the-given-one': [
    'report-saves-all-sessions: The report of a link saves every session of the user',
    before(REPORT, async ({ seen, parts: { ehr, config }, cred, params }) => {
      for (const other of sessionsOf(seen, cred.user))
        if (other.token !== cred.token)
          await ehr
            .saveAuthInfo({ ...other, ttl: config.sessionTtl }, String(params.user_sign))
            .catch(() => undefined);
      return undefined;
    }),
  ],
  'disconnected-user-told': [
    'stale-sign-called-linked: A sign-in with the signature of a link that is gone is called linked',
    takes(GONE, () => undefined),
  ],
  'disconnected-user-not-locked-out': [
    'stale-sign-locks-out: A sign-in fails for as long as the signature of a link that is gone is on record',
    takes(GONE, () => INTERNAL_ERROR),
    'unauthorized-sign-locks-out: A sign-in fails for as long as a signature is on record that the EHR server answers not_authorized to',
    takes([NOT_AUTHORIZED], () => INTERNAL_ERROR),
  ],
  'disconnected-user-links-anew': [
    'stale-user-blocked: A user whose signature was refused gets no exchange token any more',
    {
      parts(mock) {
        const blocked = mock.ledger.notes('blocked users');
        takes(GONE, (_mock, { user }) => {
          blocked.set(user, true);
          return { code: USER_UNKNOWN };
        }).parts?.(mock);
        announces((save) => async (token, info) => {
          if (blocked.has(info.user)) throw new RpcError('ehr_refused');
          return save(token, info);
        }).parts?.(mock);
      },
    },
  ],
  'own-repeat-is-success': [
    'own-repeat-refused: A save whose reply was lost is repeated, and that it is stored already is told as a failure',
    takes([TOKEN_STORED], () => INTERNAL_ERROR),
    { fetch: onceMore },
    'clients-repeat-refused: A report that is repeated after its reply was lost is told as a failure, because it is stored already',
    saves((save, { ledger }) => async (info, sign) => {
      const isRepeat = ledger.count('saves', info.token) > 1;
      const refusal = await save(info, sign);
      return isRepeat && refusal?.code === TOKEN_STORED ? INTERNAL_ERROR : refusal;
    }),
  ],
});
