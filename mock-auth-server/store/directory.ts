/** Users and the correspondence table (decision 18): public user id to internal user id and user_sign. */
import type { Database } from 'better-sqlite3';
import type { Attribute } from '../attribute.ts';

/** The identity of a user: the phone or e-mail address that they proved to own, or a test login's name. */
export type Identity = Attribute | { kind: 'login'; value: string };

/** An entry of the correspondence table. `userSign` is null until the EHR server has linked the user. */
export type Entry = { internalId: string; userSign: string | null };

/** An entry without its signature, for the harness. */
export type EntrySummary = { user: string; attribute: Identity; internalId: string; userSignOnRecord: boolean };

export type NewUser = {
  /** The public user id, if the user is new. */
  user: string;
  identity: Identity;
  /** The internal user id for the entry of a new user. Undefined: no entry is made. */
  internalId: string | undefined;
  now: number;
};

export type Directory = ReturnType<typeof openDirectory>;

export function openDirectory(db: Database) {
  const statements = prepareStatements(db);
  return {
    /**
     * Return the public id of the user of this identity. Create the user and their entry if there is none.
     * Call this in a transaction.
     */
    ensureUser({ user, identity, internalId, now }: NewUser): string {
      const known = statements.userOf.get(identity.kind, identity.value);
      if (known) return known.user;
      statements.addUser.run(user, identity.kind, identity.value, now);
      if (internalId !== undefined) statements.addEntry.run(user, internalId);
      return user;
    },
    userOf: (identity: Identity): string | undefined => statements.userOf.get(identity.kind, identity.value)?.user,
    identityOf: (user: string): Identity | undefined => statements.byId.get(user),
    entryOf: (user: string): Entry | undefined => statements.entry.get(user),
    /** Put a signature on record. False: the user has no entry. */
    keepUserSign: (user: string, userSign: string): boolean => statements.keepSign.run(userSign, user).changes > 0,
    /** Replace the signature on record (null removes it), unless it has changed since `seen`. */
    replaceUserSign: (user: string, seen: string | null, userSign: string | null): void =>
      void statements.replaceSign.run(userSign, user, seen),
    removeEntry: (user: string): boolean => statements.removeEntry.run(user).changes > 0,
    /** Remove the user with entry and sessions. */
    removeUser: (user: string): void => void statements.removeUser.run(user),
    listEntries: (): EntrySummary[] =>
      statements.entries.all().map(({ user, kind, value, internalId, signed }) => ({
        user,
        attribute: { kind, value },
        internalId,
        userSignOnRecord: signed === 1,
      })),
  };
}

function prepareStatements(db: Database) {
  return {
    userOf: db.prepare<[string, string], { user: string }>('SELECT user FROM users WHERE kind = ? AND value = ?'),
    byId: db.prepare<[string], Identity>('SELECT kind, value FROM users WHERE user = ?'),
    addUser: db.prepare<[string, string, string, number]>(
      'INSERT INTO users (user, kind, value, created_at) VALUES (?, ?, ?, ?)',
    ),
    addEntry: db.prepare<[string, string]>('INSERT INTO correspondence (user, internal_id) VALUES (?, ?)'),
    entry: db.prepare<[string], Entry>(
      'SELECT internal_id AS internalId, user_sign AS userSign FROM correspondence WHERE user = ?',
    ),
    keepSign: db.prepare<[string, string]>('UPDATE correspondence SET user_sign = ? WHERE user = ?'),
    replaceSign: db.prepare<[string | null, string, string | null]>(
      'UPDATE correspondence SET user_sign = ? WHERE user = ? AND user_sign IS ?',
    ),
    removeEntry: db.prepare<[string]>('DELETE FROM correspondence WHERE user = ?'),
    removeUser: db.prepare<[string]>('DELETE FROM users WHERE user = ?'),
    entries: db.prepare<[], { user: string; kind: Identity['kind']; value: string; internalId: string; signed: 0 | 1 }>(
      `SELECT user, kind, value, internal_id AS internalId, user_sign IS NOT NULL AS signed
       FROM correspondence JOIN users USING (user) ORDER BY created_at, user`,
    ),
  };
}
