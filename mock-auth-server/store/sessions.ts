/** Sessions, found by the SHA-256 of their token. The token itself is never stored. */
import type { Database } from 'better-sqlite3';

/** Times are milliseconds on the server's clock. */
export type Session = { user: string; expiresAt: number };

export type NewSession = Session & { tokenHash: Uint8Array; internalId: string | undefined; createdAt: number };

export type Sessions = ReturnType<typeof openSessions>;

export function openSessions(db: Database) {
  const find = db.prepare<[Uint8Array], Session>(
    'SELECT user, expires_at AS expiresAt FROM sessions WHERE token_hash = ? AND ended_at IS NULL',
  );
  const add = db.prepare<[Uint8Array, string, string | null, number, number]>(
    'INSERT INTO sessions (token_hash, user, internal_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const end = db.prepare<[number, Uint8Array]>(
    'UPDATE sessions SET ended_at = ? WHERE token_hash = ? AND ended_at IS NULL',
  );
  const purge = db.prepare<[number, number]>(
    `DELETE FROM sessions WHERE token_hash IN
     (SELECT token_hash FROM sessions WHERE coalesce(ended_at, expires_at) < ? LIMIT ?)`,
  );

  return {
    /** Find a session that has not ended, expired or not. */
    find: (tokenHash: Uint8Array): Session | undefined => find.get(tokenHash),
    add: ({ tokenHash, user, internalId, createdAt, expiresAt }: NewSession): void =>
      void add.run(tokenHash, user, internalId ?? null, createdAt, expiresAt),
    /** End a session. False: it had ended already. */
    end: (tokenHash: Uint8Array, now: number): boolean => end.run(now, tokenHash).changes > 0,
    purge: (before: number, limit: number): number => purge.run(before, limit).changes,
  };
}
