/** The tables of the store in SQLite: users, codes, sendings, sessions and messages. */
import type { Database } from 'better-sqlite3';
import {
  type Codes,
  type Directory,
  type Entry,
  type Identity,
  type ListedSession,
  MAX_CODES,
  MAX_MESSAGES,
  type Messages,
  type Sendings,
  type SentCode,
  type Session,
  type Sessions,
  type StoredMessage,
} from '../store.ts';

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

export function openCodes(db: Database): Codes {
  const find = db.prepare<[string, string], SentCode>(
    'SELECT seq, salt, hash, sent_at AS sentAt, expires_at AS expiresAt, failures FROM codes WHERE kind = ? AND value = ?',
  );
  const put = db.prepare<[string, string, Uint8Array, Uint8Array, number, number]>(
    'INSERT OR REPLACE INTO codes (kind, value, salt, hash, sent_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const evict = db.prepare<[number, number]>('DELETE FROM codes WHERE seq <= ? AND expires_at <= ?');
  const oldestAlive = db.prepare<[number], { seq: number }>(
    'SELECT seq FROM codes WHERE expires_at > ? ORDER BY expires_at, seq LIMIT 1',
  );
  const fail = db.prepare<[number]>('UPDATE codes SET failures = failures + 1 WHERE seq = ?');
  const consume = db.prepare<[number]>('DELETE FROM codes WHERE seq = ?');
  const remove = db.prepare<[string, string]>('DELETE FROM codes WHERE kind = ? AND value = ?');
  const purge = db.prepare<[number, number]>(
    'DELETE FROM codes WHERE seq IN (SELECT seq FROM codes WHERE expires_at < ? LIMIT ?)',
  );

  return {
    find: ({ kind, value }) => find.get(kind, value),
    put({ kind, value }, { salt, hash }, sentAt, expiresAt) {
      const seq = Number(put.run(kind, value, salt, hash, sentAt, expiresAt).lastInsertRowid);
      evict.run(seq - MAX_CODES, sentAt);
      return seq - (oldestAlive.get(sentAt)?.seq ?? seq);
    },
    countFailure: (seq) => void fail.run(seq),
    consume: (seq) => consume.run(seq).changes > 0,
    remove: ({ kind, value }) => void remove.run(kind, value),
    purge: (before, limit) => purge.run(before, limit).changes,
  };
}

/** Only this many sendings are kept: the newest ones. */
const MAX_SENDINGS = 1_000_000;

export function openSendings(db: Database): Sendings {
  const add = db.prepare<[Uint8Array, number]>('INSERT INTO sendings (recipient, sent_at) VALUES (?, ?)');
  const evict = db.prepare<[number]>('DELETE FROM sendings WHERE id <= ?');
  const since = db.prepare<[number, Uint8Array, number, number], { count: number; last: number | null }>(
    `SELECT count(*) AS count, max(sent_at) FILTER (WHERE sent_at <= ?) AS last
     FROM sendings WHERE recipient = ? AND sent_at > ? AND sent_at < ?`,
  );
  const purge = db.prepare<[number, number]>(
    'DELETE FROM sendings WHERE sent_at < ? AND id IN (SELECT id FROM sendings ORDER BY id LIMIT ?)',
  );

  return {
    add(recipient, now) {
      const { lastInsertRowid } = add.run(recipient, now);
      evict.run(Number(lastInsertRowid) - MAX_SENDINGS);
    },
    since: (recipient, time, now) =>
      since.get(now, recipient, time, 2 * now - time) ?? { count: 0, last: null },
    purge: (before, limit) => purge.run(before, limit).changes,
  };
}

export function openSessions(db: Database): Sessions {
  const find = db.prepare<[Uint8Array], Session>(
    'SELECT user, expires_at AS expiresAt FROM sessions WHERE token_hash = ? AND ended_at IS NULL',
  );
  const add = db.prepare<[Uint8Array, string, string | null, number, number]>(
    'INSERT INTO sessions (token_hash, user, internal_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const list = db.prepare<[number], ListedSession>(
    `SELECT token_hash AS tokenHash, user, expires_at AS expiresAt FROM sessions WHERE ended_at IS NULL
     ORDER BY expires_at DESC, token_hash LIMIT ?`,
  );
  const end = db.prepare<[number, Uint8Array]>(
    'UPDATE sessions SET ended_at = ? WHERE token_hash = ? AND ended_at IS NULL',
  );
  const purge = db.prepare<[number, number]>(
    `DELETE FROM sessions WHERE token_hash IN
     (SELECT token_hash FROM sessions WHERE coalesce(ended_at, expires_at) < ? LIMIT ?)`,
  );

  return {
    find: (tokenHash) => find.get(tokenHash),
    add: ({ tokenHash, user, internalId, createdAt, expiresAt }) =>
      void add.run(tokenHash, user, internalId ?? null, createdAt, expiresAt),
    list: (limit) => list.all(limit),
    end: (tokenHash, now) => end.run(now, tokenHash).changes > 0,
    purge: (before, limit) => purge.run(before, limit).changes,
  };
}

export function openMessages(db: Database): Messages {
  const columns = 'id, value AS "to", text, code, sent_at AS at';
  const add = db.prepare<[string, string, string, string, number]>(
    'INSERT INTO messages (kind, value, text, code, sent_at) VALUES (?, ?, ?, ?, ?)',
  );
  const evict = db.prepare<[number]>('DELETE FROM messages WHERE id <= ?');
  const all = db.prepare<[number], StoredMessage>(
    `SELECT ${columns} FROM messages WHERE id > ? ORDER BY id DESC`,
  );
  const ofOne = db.prepare<[string, string, number], StoredMessage>(
    `SELECT ${columns} FROM messages WHERE kind = ? AND value = ? AND id > ? ORDER BY id DESC`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM messages WHERE kind = ? AND value = ?');

  return {
    add({ kind, value }, text, code, at) {
      const { lastInsertRowid } = add.run(kind, value, text, code, at);
      evict.run(Number(lastInsertRowid) - MAX_MESSAGES);
    },
    list: (to, after = 0) => (to ? ofOne.all(to.kind, to.value, after) : all.all(after)),
    remove: ({ kind, value }) => void remove.run(kind, value),
  };
}
