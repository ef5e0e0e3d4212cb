/** Defects in which sessions are saved, when, and with which user_sign. */
import { randomToken } from '#protocol/time/random.ts';
import { errorTable, RpcError } from '#protocol/wire/errors.ts';
import { onceMore } from '../change-calls.ts';
import {
  after,
  before,
  type Change,
  CONFIRM,
  DELETE,
  defect,
  done,
  instead,
  LOGOUT,
  later,
  type Mock,
  type MockTurn,
  REPORT,
  REQUEST,
  sessionsOf,
  userOf,
  withParams,
  wraps,
  yes,
} from '../defect.ts';

/** Forgets, after a call that succeeds, the signatures of these users. */
const forgetsSigns = (method: string, usersIn: (turn: MockTurn) => readonly unknown[]) =>
  after(done(method), (turn) => {
    for (const user of usersIn(turn)) forgetSign(turn.parts, String(user));
  });

function forgetSign({ store: { directory } }: Mock, user: string): void {
  directory.replaceUserSign(user, directory.entryOf(user)?.userSign ?? null, null);
}

export const linkDefects = [
  defect('link-kept-over-restart', 'signs-in-memory', {
    title: 'A restart forgets the signatures',
    parts({ store, seen }) {
      const { entryOf, keepUserSign } = store.directory;
      const signs = seen.notes<string>('signatures kept');
      store.directory.keepUserSign = (user, sign) => {
        signs.set(user, sign);
        return keepUserSign(user, sign);
      };
      store.directory.entryOf = (user) => {
        const entry = entryOf(user);
        return entry && { ...entry, userSign: entry.userSign === null ? null : (signs.get(user) ?? null) };
      };
    },
  }),
  defect('new-signature-used', 'first-sign-for-ever', {
    title: 'The signature of the first link is used for ever',
    parts({ store }) {
      const { keepUserSign, replaceUserSign, entryOf } = store.directory;
      store.directory.keepUserSign = (user, sign) =>
        Boolean(entryOf(user)?.userSign) || keepUserSign(user, sign);
      store.directory.replaceUserSign = (user, seen, sign) => {
        if (seen === null) replaceUserSign(user, seen, sign);
      };
    },
  }),
  defect('sign-on-record-used', 'sign-on-record-unused', {
    title: 'The user_sign on record is not used',
    ...wraps('directory', 'entryOf', (entryOf, _mock, user) => {
      const entry = entryOf(user);
      return entry && { ...entry, userSign: null };
    }),
  }),
  defect('link-kept-over-logout', 'logout-forgets-sign', {
    title: 'A logout makes the signature of the user forgotten',
    ...forgetsSigns(LOGOUT, ({ cred }) => [cred.user]),
  }),
  defect('link-kept-over-others-deletion', 'deletion-forgets-signs', {
    title: 'A deletion makes the signatures of all users forgotten',
    ...forgetsSigns(DELETE, ({ seen }) => seen.done(REPORT).map(({ cred }) => cred.user)),
  }),
  defect('deletion-outlives-sign-in', 'sign-in-outlives-deletion', {
    title: 'A sign-in that ends after the deletion of its user opens a session',
    parts(mock) {
      const { store, codes, clock } = mock;
      const { claim } = codes;
      wraps('ehr', 'saveAuthInfo', async (save, _mock, info, sign) => {
        const [identity, entry] = [store.directory.identityOf(info.user), store.directory.entryOf(info.user)];
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
  }),
  defect('deletion-outlives-report', 'report-revives-deleted-user', {
    title: 'A report that ends after the deletion creates the user again, with the signature',
    parts({ store, seen }) {
      const { ensureUser, keepUserSign } = store.directory;
      const known = seen.notes<Parameters<typeof ensureUser>[0]>('users made');
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
  }),
];

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
  wraps('ehr', 'saveAuthInfo', async (save, mock, info, sign) => {
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

const LATE_MS = 200;

export const saveDefects = [
  defect('returning-user-saved-directly', 'returning-user-not-saved', {
    title: 'A returning user is not saved at the EHR server',
    ...before(CONFIRM, (turn) => {
      const { directory } = turn.parts.store;
      const user = userOf(turn) ?? '';
      const sign = directory.entryOf(user)?.userSign;
      if (sign) directory.replaceUserSign(user, sign, null);
      return withParams(turn.call, { ehr_user_sign: undefined });
    }),
  }),
  defect('second-returning-user-saved-directly', 'one-returning-user', {
    title: 'Only the first user who returns is saved at the EHR server',
    ...wraps('ehr', 'saveAuthInfo', async (save, { seen }, info, sign) => {
      const first = seen.notes<string>('first user saved');
      if (!first.has('')) first.set('', info.user);
      return first.get('') === info.user ? save(info, sign) : undefined;
    }),
  }),
  defect('returning-user-reads-record', 'other-token-saved', {
    title: 'The session saved at the EHR server has another token than the client',
    ...wraps('ehr', 'saveAuthInfo', (save, _mock, info, sign) =>
      save({ ...info, token: `${info.token.slice(1)}x` }, sign),
    ),
  }),
  defect('saved-before-answer', 'saves-after-answer', {
    title: 'A session is saved a moment after the client was answered',
    ...wraps('ehr', 'saveAuthInfo', async (save, mock, info, sign) => {
      // A signature that the EHR server refuses then is forgotten.
      later(mock, LATE_MS, async () => {
        const refusal = await save(info, sign).catch(() => undefined);
        if (refusal && GONE.includes(refusal.code)) forgetSign(mock, info.user);
      });
      return undefined;
    }),
  }),
  defect('link-recorded', 'report-of-known-sign-ignored', {
    title: 'A report with a signature that is on record saves nothing',
    ...instead(REPORT, ({ parts, cred, params }) =>
      parts.store.directory.entryOf(String(cred.user))?.userSign === params.user_sign ? yes() : undefined,
    ),
  }),
  defect('link-recorded', 'link-not-recorded', {
    title: 'A reported link is not recorded at the EHR server',
    ...wraps('ehr', 'saveAuthInfo', async () => undefined),
  }),
  defect('no-save-before-confirmation', 'saved-at-request-with-sign', {
    title: 'A request for a code that brings a user_sign has a session saved at once',
    ...before(REQUEST, (turn) => (turn.params.ehr_user_sign ? saveAhead(turn) : undefined)),
  }),
  defect('no-save-before-confirmation', 'saves-when-code-requested', {
    title: 'The session of a linked user is saved when the code is requested',
    ...before(REQUEST, saveAhead),
  }),
  defect('no-save-before-confirmation', 'saves-before-comparing', {
    title: 'The session of a linked user is saved before the code is compared',
    ...before(CONFIRM, saveAhead),
  }),
  defect('saved-session-is-the-given-one', 'report-saves-all-sessions', {
    title: 'The report of a link saves every session of the user',
    ...before(REPORT, async ({ seen, parts: { ehr, config }, cred, params }) => {
      for (const other of sessionsOf(seen, cred.user))
        if (other.token !== cred.token)
          await ehr
            .saveAuthInfo({ ...other, ttl: config.sessionTtl }, String(params.user_sign))
            .catch(() => undefined);
    }),
  }),
  defect('disconnected-user-told', 'stale-sign-called-linked', {
    title: 'A sign-in with the signature of a link that is gone is called linked',
    ...takes(GONE, () => undefined),
  }),
  defect('disconnected-user-not-locked-out', 'stale-sign-locks-out', {
    title: 'A sign-in fails for as long as the signature of a link that is gone is on record',
    ...takes(GONE, () => INTERNAL_ERROR),
  }),
  defect('disconnected-user-not-locked-out', 'unauthorized-sign-locks-out', {
    title:
      'A sign-in fails for as long as a signature is on record that the EHR server answers not_authorized to',
    ...takes([NOT_AUTHORIZED], () => INTERNAL_ERROR),
  }),
  defect('disconnected-user-links-anew', 'stale-user-blocked', {
    title: 'A user whose signature was refused gets no exchange token any more',
    parts(mock) {
      const blocked = mock.seen.notes('blocked users');
      takes(GONE, (_mock, { user }) => {
        blocked.set(user, true);
        return { code: USER_UNKNOWN };
      }).parts?.(mock);
      wraps('ehr', 'saveExchangeToken', async (save, _mock, token, info) => {
        if (blocked.has(info.user)) throw new RpcError('ehr_refused');
        return save(token, info);
      }).parts?.(mock);
    },
  }),
  defect('own-repeat-is-success', 'own-repeat-refused', {
    title: 'A save whose reply was lost is repeated, and that it is stored already is told as a failure',
    ...takes([TOKEN_STORED], () => INTERNAL_ERROR),
    fetch: onceMore,
  }),
  defect('own-repeat-is-success', 'clients-repeat-refused', {
    title:
      'A report that is repeated after its reply was lost is told as a failure, because it is stored already',
    ...wraps('ehr', 'saveAuthInfo', async (save, { seen }, info, sign) => {
      const isRepeat = seen.countUp('saves', info.token) > 1;
      const refusal = await save(info, sign);
      return isRepeat && refusal?.code === TOKEN_STORED ? INTERNAL_ERROR : refusal;
    }),
  }),
];
