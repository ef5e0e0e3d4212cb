/** Defects in the signature that is kept of a link. */
import type { Change } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
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

/** Keeps signatures elsewhere than in the user's record. */
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

/** Never forgets a signature. */
const forgetsNothing = wraps(directoryIn, 'replaceUserSign', (replace, _mock, user, seen, sign) => {
  if (sign !== null) replace(user, seen, sign);
});

export const linkDefects = foundBy({
  'signature-kept-at-link/sign-not-kept': {
    title: 'The signature of a reported link is not kept',
    change: wraps(
      directoryIn,
      'keepUserSign',
      (_keep, { store }, user) => store.directory.entryOf(user) !== undefined,
    ),
    on: ['challenge-signature-not-kept'],
  },
  'signature-kept-at-link/sign-cut-when-kept': {
    title: 'Only 32 characters of a signature are kept',
    change: keepsSigns(
      (user) => user,
      (sign) => sign.slice(0, 32),
    ),
    on: ['challenge-signature-cut'],
  },
  'signatures-kept-of-many/sign-of-last-link-kept': {
    title: 'One place holds the signature of the last link of anybody',
    change: keepsSigns(() => ''),
    on: ['challenge-signature-of-last-link'],
  },
  'link-kept-over-restart/signs-in-memory': {
    title: 'A restart forgets the signatures',
    change: keepsSigns((user) => user),
    on: ['challenge-signature-memory-only'],
  },
  'foreign-sign-not-kept/foreign-sign-kept': {
    title: 'A reported signature is kept before the EHR server has accepted it',
    change: before(REPORT, ({ parts, cred, params }) => {
      parts.store.directory.keepUserSign(String(cred.user), String(params.user_sign));
      return undefined;
    }),
    seenIn: ['keratin/authn-server#245'],
  },
  'stale-signature-forgotten/stale-sign-stays': {
    title: 'A signature that the EHR server refused stays on record',
    change: forgetsNothing,
    on: ['challenge-stale-signature-kept'],
  },
  'new-signature-used/first-sign-for-ever': {
    title: 'The signature of the first link is used for ever',
    change: {
      parts({ store }) {
        const { keepUserSign, replaceUserSign, entryOf } = store.directory;
        store.directory.keepUserSign = (user, sign) =>
          Boolean(entryOf(user)?.userSign) || keepUserSign(user, sign);
        store.directory.replaceUserSign = (user, seen, sign) => {
          if (seen === null) replaceUserSign(user, seen, sign);
        };
      },
    },
  },
  'newest-signature-kept/first-sign-kept': {
    title: 'The signature of a later report does not replace the one on record',
    change: wraps(directoryIn, 'keepUserSign', (keep, { store }, user, sign) =>
      keep(user, store.directory.entryOf(user)?.userSign ?? sign),
    ),
  },
  'sign-on-record-used/sign-on-record-unused': {
    title: 'The user_sign on record is not used',
    change: wraps(directoryIn, 'entryOf', (entryOf, _mock, user) => {
      const entry = entryOf(user);
      return entry && { ...entry, userSign: null };
    }),
  },
  'links-again-in-session/second-report-not-sent': {
    title: 'A report of a user whose signature is on record changes nothing',
    change: instead(REPORT, (turn) => (signOf(turn) ? yes() : undefined)),
    on: ['challenge'],
  },
  'links-again-in-session/second-report-refused': {
    title: 'A report of a user whose signature is on record is refused',
    change: refuses(REPORT, signOf, 'patient_already_matched'),
  },
  'links-again-in-session/second-report-with-first-sign': {
    title: 'A later report is saved with the signature of the first one',
    change: saves(
      (save, { store }) =>
        (info, sign) =>
          save(info, store.directory.entryOf(info.user)?.userSign ?? sign),
    ),
  },
  'link-kept-over-logout/logout-forgets-sign': {
    title: 'A logout makes the signature of the user forgotten',
    change: forgetsSign(done(LOGOUT), ({ cred }) => [cred.user]),
    on: ['challenge'],
  },
  'link-kept-over-others-deletion/deletion-forgets-signs': {
    title: 'A deletion makes the signatures of all users forgotten',
    change: forgetsSign(done(DELETE), ({ seen }) => seen.done(REPORT).map(({ cred }) => cred.user)),
  },
  'link-kept-over-expiry/expiry-forgets-sign': {
    title: 'A session that has run out makes the signature of its user forgotten',
    change: forgetsSign(
      refused(() => true, 'session_expired'),
      ({ cred }) => [cred.user],
    ),
  },
  'signature-kept-when-report-refused/refused-report-forgets-sign': {
    title: 'A report that is refused makes the earlier signature forgotten',
    change: forgetsSign(refused(REPORT), ({ cred }) => [cred.user]),
    on: ['challenge'],
  },
  'signature-kept-in-outage/outage-forgets-sign': {
    title: 'Trouble with the EHR server at a sign-in makes the signature forgotten',
    change: saves(
      (save, mock) => (info, sign) =>
        save(info, sign).catch((error: unknown) => {
          forgetSign(mock, info.user);
          throw error;
        }),
    ),
    on: ['challenge'],
  },
  'signature-kept-in-refusal/refusal-forgets-sign': {
    title: 'Any refusal of the EHR server makes the signature forgotten',
    change: saves((save, mock) => async (info, sign) => {
      const refusal = await save(info, sign);
      if (refusal) forgetSign(mock, info.user);
      return refusal;
    }),
    on: ['challenge'],
  },
  'given-signature-proven-first/given-sign-kept-first': {
    title: 'A signature that comes with a sign-in is kept before the EHR server has accepted it',
    change: saves((save, { store }) => (info, sign) => {
      store.directory.keepUserSign(info.user, sign);
      return save(info, sign);
    }),
    on: ['challenge'],
  },
  'deletion-outlives-sign-in/sign-in-outlives-deletion': {
    title: 'A sign-in that ends after the deletion of its user opens a session',
    change: {
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
    on: ['challenge'],
  },
  'deletion-outlives-report/report-revives-deleted-user': {
    title: 'A report that ends after the deletion creates the user again, with the signature',
    change: {
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
  },
});
