/** The statements of the SQLite store. */
import type { Database } from 'better-sqlite3';
import type { Link, TokenHash } from './store.ts';

export type SessionRow = { record_id: string; user: string; expires_at: number; recorded: number; ended: number };
export type ExchangeRow = {
  user: string;
  session_hash: TokenHash;
  session_lifetime: number;
  session_created: string | null;
  expires_at: number;
  failures: number;
  used: number;
};

/** Prepares them all, once for each connection. */
export function prepareStatements(db: Database) {
  return {
    session: db.prepare<[TokenHash], SessionRow>(
      'SELECT record_id, user, expires_at, recorded, ended FROM sessions WHERE token_hash = ?',
    ),
    /** Changes nothing where the token is stored. */
    putSession: db.prepare<[TokenHash, string, string, number, number, string | null]>(
      `INSERT INTO sessions (token_hash, record_id, user, stored_at, expires_at, created, recorded) VALUES (?, ?, ?, ?, ?, ?, 1)
       ON CONFLICT (token_hash) DO NOTHING`,
    ),
    // A session that a logout ended may be opened anew by authenticate, never by a save.
    openSession: db.prepare<[TokenHash, string, string, number, number, string | null]>(
      `INSERT INTO sessions (token_hash, record_id, user, stored_at, expires_at, created, recorded) VALUES (?, ?, ?, ?, ?, ?, 0)
       ON CONFLICT (token_hash) DO UPDATE SET record_id = excluded.record_id, user = excluded.user, stored_at = excluded.stored_at,
         expires_at = excluded.expires_at, created = excluded.created, recorded = excluded.recorded, ended = 0 WHERE ended = 1`,
    ),
    recordSession: db.prepare<[TokenHash]>('UPDATE sessions SET recorded = 1 WHERE token_hash = ?'),
    endSession: db.prepare<[number, TokenHash, string]>(
      "UPDATE sessions SET ended = 1, user = '', created = NULL, expires_at = ? WHERE token_hash = ? AND user = ? AND ended = 0",
    ),
    endSessionsOfUser: db.prepare<[number, string]>(
      "UPDATE sessions SET ended = 1, user = '', created = NULL, expires_at = ? WHERE user = ? AND ended = 0",
    ),
    linkOfUser: db.prepare<[string], Link>(
      'SELECT user, patient_id AS patientId, user_sign AS userSign FROM links WHERE user = ?',
    ),
    patientOfSign: db
      .prepare<[string, string], string>('SELECT patient_id FROM links WHERE user = ? AND user_sign = ?')
      .pluck(),
    linkOfPatient: db.prepare<[string], { user: string }>('SELECT user FROM links WHERE patient_id = ?'),
    putLink: db.prepare<[string, string, string]>('INSERT INTO links (user, patient_id, user_sign) VALUES (?, ?, ?)'),
    removeLink: db.prepare<[string]>('DELETE FROM links WHERE user = ?'),
    exchangeToken: db.prepare<[TokenHash], ExchangeRow>(
      'SELECT user, session_hash, session_lifetime, session_created, expires_at, failures, used FROM exchange_tokens WHERE hash = ?',
    ),
    /** Changes nothing where the token is stored. */
    putExchangeToken: db.prepare<[TokenHash, string, string, TokenHash, number, string | null, number]>(
      `INSERT INTO exchange_tokens (hash, record_id, user, session_hash, session_lifetime, session_created, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    ),
    useExchangeToken: db.prepare<[TokenHash]>('UPDATE exchange_tokens SET used = 1 WHERE hash = ?'),
    countFailure: db.prepare<[TokenHash]>('UPDATE exchange_tokens SET failures = failures + 1 WHERE hash = ?'),
    purgeSessions: db.prepare<[number, number]>(
      'DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE expires_at < ? LIMIT ?)',
    ),
    purgeExchangeTokens: db.prepare<[number, number]>(
      'DELETE FROM exchange_tokens WHERE hash IN (SELECT hash FROM exchange_tokens WHERE expires_at < ? LIMIT ?)',
    ),
    probe: db.prepare('SELECT 1 FROM sessions LIMIT 1'),
    tryWriting: db.prepare('UPDATE audit_horizon SET before = before'),
  };
}
