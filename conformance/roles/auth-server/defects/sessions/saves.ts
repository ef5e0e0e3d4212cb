/** Defects in which sessions are saved, when, and with which user_sign. */
import { randomToken } from '#protocol/time/random.ts';
import { errorTable, RpcError } from '#protocol/wire/errors.ts';
import { onceMore } from '../calls/outgoing.ts';
import { type Change, foundBy, type Mock } from '../defect.ts';
import {
  announces,
  before,
  CONFIRM,
  DELETE,
  directoryIn,
  done,
  forgetSign,
  forgetsSign,
  LOGOUT,
  later,
  type MockTurn,
  REPORT,
  REQUEST,
  saves,
  sessionsOf,
  userOf,
  withParams,
  wraps,
} from '../operators.ts';

/** Keeps signatures in memory. Users of the same `keyOf` share one. */
const keepsSigns = (
  keyOf: (user: string) => string,
  kept: (sign: string) => string = (sign) => sign,
): Change => ({
  parts({ store, ledger }) {
    const { entryOf, keepUserSign } = store.directory;
    const signs = ledger.notes<string>('signatures kept');
    store.directory.keepUserSign = (user, sign) => {
      signs.set(keyOf(user), kept(sign));
      return keepUserSign(user, sign);
    };
    store.directory.entryOf = (user) => {
      const entry = entryOf(user);
      return (
        entry && { ...entry, userSign: entry.userSign === null ? null : (signs.get(keyOf(user)) ?? null) }
      );
    };
  },
});

export const linkDefects = foundBy({
  'link-kept-over-restart': ['signs-in-memory: A restart forgets the signatures', keepsSigns((user) => user)],
  'new-signature-used': [
    'first-sign-for-ever: The signature of the first link is used for ever',
    {
      parts({ store }) {
        const { keepUserSign, replaceUserSign, entryOf } = store.directory;
        store.directory.keepUserSign = (user, sign) =>
          Boolean(entryOf(user)?.userSign) || keepUserSign(user, sign);
        store.directory.replaceUserSign = (user, seen, sign) => {
          if (seen === null) replaceUserSign(user, seen, sign);
        };
      },
    },
  ],
  'sign-on-record-used': [
    'sign-on-record-unused: The user_sign on record is not used',
    wraps(directoryIn, 'entryOf', (entryOf, _mock, user) => {
      const entry = entryOf(user);
      return entry && { ...entry, userSign: null };
    }),
  ],
  'link-kept-over-logout': [
    'logout-forgets-sign: A logout makes the signature of the user forgotten',
    forgetsSign(done(LOGOUT), ({ cred }) => [cred.user]),
  ],
  'link-kept-over-others-deletion': [
    'deletion-forgets-signs: A deletion makes the signatures of all users forgotten',
    forgetsSign(done(DELETE), ({ seen }) => seen.done(REPORT).map(({ cred }) => cred.user)),
  ],
  'deletion-outlives-sign-in': [
    'sign-in-outlives-deletion: A sign-in that ends after the deletion of its user opens a session',
    {
      parts(mock) {
        const { store, codes, clock } = mock;
        const { claim } = codes;
        saves((save) => async (info, sign) => {
          const [identity, entry] = [
            store.directory.identityOf(info.user),
            store.directory.entryOf(info.user),
          ];
          const refusal = await save(info, sign);
          // The sign-in writes back what it read before.
          const read = identity && {
            user: info.user,
            identity,
            internalId: entry?.internalId,
            now: clock.now(),
          };
          if (read && !store.directory.identityOf(info.user))
            store.atomically(() => store.directory.ensureUser(read));
          return refusal;
        }).parts?.(mock);
        codes.claim = (attribute, code) => {
          const claimed = claim(attribute, code);
          const consume = () => (store.codes.find(attribute) ? claimed.consume() : undefined);
          return { ...claimed, consume };
        };
      },
    },
  ],
  'deletion-outlives-report': [
    'report-revives-deleted-user: A report that ends after the deletion creates the user again, with the signature',
    {
      parts({ store, ledger }) {
        const { ensureUser, keepUserSign } = store.directory;
        const known = ledger.notes<Parameters<typeof ensureUser>[0]>('users made');
        store.directory.ensureUser = (given) => {
          const user = ensureUser(given);
          known.set(user, { ...given, user });
          return user;
        };
        store.directory.keepUserSign = (user, sign) => {
          const row = known.get(user);
          if (row && store.directory.identityOf(user) === undefined) ensureUser(row);
          return keepUserSign(user, sign);
        };
      },
    },
  ],
});

const NOT_AUTHORIZED = errorTable.not_authorized.code;
const USER_UNKNOWN = errorTable.user_unknown.code;
const TOKEN_STORED = errorTable.token_already_stored.code;
/** Error codes with which the EHR server refuses the signature of a link that was removed. */
const GONE: readonly number[] = [NOT_AUTHORIZED, USER_UNKNOWN];
const INTERNAL_ERROR = { code: errorTable.internal_error.code };

type Refusal = Awaited<ReturnType<Mock['ehr']['saveAuthInfo']>>;
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
