/**
 * Lists defects in the user_sign: the signature with which the EHR server has linked a user to a patient, and
 * which the authorization server keeps to save the user's later sessions.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change to
 * the right mock follows, then `owner/repo#number` of public systems that had it.
 */
import type { Change } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
  ANY,
  before,
  DELETE,
  directoryIn,
  done,
  forgetSign,
  forgetsSign,
  instead,
  LOGOUT,
  REPORT,
  refused,
  refuses,
  saves,
  signOf,
  wraps,
  yes,
} from '../operators.ts';

/**
 * Keeps signatures in memory, not in the user's record.
 * @param keyOf the place of a user's signature; users with the same key share it
 * @param kept what is kept of a signature
 */
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

/** Never removes a signature; a new one still replaces it. */
const forgetsNothing = wraps(directoryIn, 'replaceUserSign', (replace, _mock, user, seen, sign) => {
  if (sign !== null) replace(user, seen, sign);
});

export const linkDefects = foundBy({
  'signature-kept-at-link': [
    'sign-not-kept: The signature of a reported link is not kept',
    wraps(
      directoryIn,
      'keepUserSign',
      (_keep, { store }, user) => store.directory.entryOf(user) !== undefined,
    ),
    'sign-cut-when-kept: Only 32 characters of a signature are kept',
    keepsSigns(
      (user) => user,
      (sign) => sign.slice(0, 32),
    ),
  ],
  'signatures-kept-of-many': [
    'sign-of-last-link-kept: One place holds the signature of the last link of anybody',
    keepsSigns(() => ''),
  ],
  'link-kept-over-restart': ['signs-in-memory: A restart forgets the signatures', keepsSigns((user) => user)],
  'foreign-sign-not-kept': [
    'foreign-sign-kept: A reported signature is kept before the EHR server has accepted it',
    before(REPORT, ({ parts, cred, params }) => {
      parts.store.directory.keepUserSign(String(cred.user), String(params.user_sign));
      return undefined;
    }),
    'keratin/authn-server#245',
  ],
  'stale-signature-forgotten': [
    'stale-sign-stays: A signature that the EHR server refused stays on record',
    forgetsNothing,
  ],
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
  'newest-signature-kept': [
    'first-sign-kept: The signature of a later report does not replace the one on record',
    wraps(directoryIn, 'keepUserSign', (keep, { store }, user, sign) =>
      keep(user, store.directory.entryOf(user)?.userSign ?? sign),
    ),
  ],
  'sign-on-record-used': [
    'sign-on-record-unused: The user_sign on record is not used',
    wraps(directoryIn, 'entryOf', (entryOf, _mock, user) => {
      const entry = entryOf(user);
      return entry && { ...entry, userSign: null };
    }),
  ],
  'links-again-in-session': [
    'second-report-not-sent: A report of a user whose signature is on record changes nothing',
    instead(REPORT, (turn) => (signOf(turn) ? yes() : undefined)),
    'second-report-refused: A report of a user whose signature is on record is refused',
    refuses(REPORT, signOf, 'patient_already_matched'),
    'second-report-with-first-sign: A later report is saved with the signature of the first one',
    saves(
      (save, { store }) =>
        (info, sign) =>
          save(info, store.directory.entryOf(info.user)?.userSign ?? sign),
    ),
  ],
  'link-kept-over-logout': [
    'logout-forgets-sign: A logout makes the signature of the user forgotten',
    forgetsSign(done(LOGOUT), ({ cred }) => [cred.user]),
  ],
  'link-kept-over-others-deletion': [
    'deletion-forgets-signs: A deletion makes the signatures of all users forgotten',
    forgetsSign(done(DELETE), ({ seen }) => seen.done(REPORT).map(({ cred }) => cred.user)),
  ],
  'link-kept-over-expiry': [
    'expiry-forgets-sign: A session that has run out makes the signature of its user forgotten',
    forgetsSign(refused(ANY, 'session_expired'), ({ cred }) => [cred.user]),
  ],
  'signature-kept-when-report-refused': [
    'refused-report-forgets-sign: A report that is refused makes the earlier signature forgotten',
    forgetsSign(refused(REPORT), ({ cred }) => [cred.user]),
  ],
  'signature-kept-in-outage': [
    'outage-forgets-sign: Trouble with the EHR server at a sign-in makes the signature forgotten',
    saves(
      (save, mock) => (info, sign) =>
        save(info, sign).catch((error: unknown) => {
          forgetSign(mock, info.user);
          throw error;
        }),
    ),
  ],
  'signature-kept-in-refusal': [
    'refusal-forgets-sign: Any refusal of the EHR server makes the signature forgotten',
    saves((save, mock) => async (info, sign) => {
      const refusal = await save(info, sign);
      if (refusal) forgetSign(mock, info.user);
      return refusal;
    }),
  ],
  'given-signature-proven-first': [
    'given-sign-kept-first: A signature that comes with a sign-in is kept before the EHR server has accepted it',
    saves((save, { store }) => (info, sign) => {
      store.directory.keepUserSign(info.user, sign);
      return save(info, sign);
    }),
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
