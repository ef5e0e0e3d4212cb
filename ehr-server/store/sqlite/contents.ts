/** Reads what the SQLite store holds now. */
import type { Database } from 'better-sqlite3';
import type { Contents } from '../store.ts';

/** Read at most `limit` rows of each kind. */
export function readContents(db: Database, limit: number): Contents {
  const all = <Row>(sql: string) => db.prepare<[number], Row>(sql).all(limit);
  return {
    sessions: all(
      `SELECT token_hash AS tokenHash, user, patient_id AS patientId, expires_at AS expiresAt
       FROM sessions JOIN links ON links.id = sessions.link ORDER BY expires_at DESC, token_hash LIMIT ?`,
    ),
    exchangeTokens: all(
      `SELECT hash, user, expires_at AS expiresAt, failures
       FROM exchange_tokens WHERE used = 0 ORDER BY expires_at DESC, hash LIMIT ?`,
    ),
    links: all('SELECT user, patient_id AS patientId FROM links ORDER BY user LIMIT ?'),
  };
}
