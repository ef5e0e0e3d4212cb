/** Sessions in SQLite. */
import type { Database } from 'better-sqlite3';
import type { ListedSession, Session, Sessions } from '../store.ts';

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
