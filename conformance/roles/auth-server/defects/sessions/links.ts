/** Defects in the user_sign, which the server keeps to save later sessions of a user. */
import type { Change } from '../change.ts';
import { foundBy } from '../defect.ts';
import { DELETE, directoryIn, done, forgetsSign, LOGOUT, REPORT, saves, wraps } from '../operators.ts';

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
