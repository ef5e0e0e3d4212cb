/** Users and the correspondence table in SQLite. */
import type { Database } from 'better-sqlite3';
import type { Directory, Entry, Identity } from '../store.ts';

export function openDirectory(db: Database): Directory {
  const statements = prepareStatements(db);
  return {
    ensureUser({ user, identity, internalId, now }) {
      const known = statements.userOf.get(identity.kind, identity.value);
      if (known) return known.user;
      statements.addUser.run(user, identity.kind, identity.value, now);
      if (internalId !== undefined) statements.addEntry.run(user, internalId);
      return user;
    },
    userOf: (identity) => statements.userOf.get(identity.kind, identity.value)?.user,
    identityOf: (user) => statements.byId.get(user),
    entryOf: (user) => statements.entry.get(user),
    keepUserSign: (user, userSign) => statements.keepSign.run(userSign, user).changes > 0,
    replaceUserSign: (user, seen, userSign) => void statements.replaceSign.run(userSign, user, seen),
    removeEntry: (user) => statements.removeEntry.run(user).changes > 0,
    removeUser: (user) => void statements.removeUser.run(user),
    listEntries: () =>
      statements.entries
        .all()
        .map(({ user, kind, value, internalId, signed }) => ({
          user,
          attribute: { kind, value },
          internalId,
          userSignOnRecord: signed === 1,
        })),
  };
}

function prepareStatements(db: Database) {
  return {
    userOf: db.prepare<[string, string], { user: string }>(
      'SELECT user FROM users WHERE kind = ? AND value = ?',
    ),
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
    entries: db.prepare<
      [],
      { user: string; kind: Identity['kind']; value: string; internalId: string; signed: 0 | 1 }
    >(
      `SELECT user, kind, value, internal_id AS internalId, user_sign IS NOT NULL AS signed
       FROM correspondence JOIN users USING (user) ORDER BY created_at, user`,
    ),
  };
}
