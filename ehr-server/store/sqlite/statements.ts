/** The statements of the SQLite store. */
import type { Database } from 'better-sqlite3';
import { FAILED_MATCH_WINDOW_MS, MAX_PENDING_EXCHANGE_TOKENS } from '#protocol/limits.ts';
import type { GuessedHashes, TokenRow } from '../rules.ts';
import type { Link, TokenHash } from '../store.ts';

/** A session lives as long as its link exists. `link` is null once the session was logged out. */
export type SessionRow = { record_id: string; link: number | null; expires_at: number; recorded: number };
type LinkRow = Link & { id: number };
export type ExchangeRow = TokenRow & {
  user: string;
  session_hash: TokenHash;
  session_lifetime: number;
  session_created: string | null;
};

export type Statements = ReturnType<typeof prepareStatements>;

/** Prepare all statements, once for each connection. */
export function prepareStatements(db: Database) {
  return {
    ...sessionStatements(db),
    ...linkStatements(db),
    ...exchangeTokenStatements(db),
    ...failureStatements(db),
    probe: db.prepare('SELECT 1 FROM sessions LIMIT 1'),
    tryWriting: db.prepare('UPDATE audit_horizon SET before = before'),
  };
}

function sessionStatements(db: Database) {
  return {
    session: db.prepare<[TokenHash], SessionRow>(
      'SELECT record_id, link, expires_at, recorded FROM sessions WHERE token_hash = ?',
    ),
    /** Changes nothing if the token is stored. */
    putSession: db.prepare<[TokenHash, string, number, number, number, string | null]>(
      `INSERT INTO sessions (token_hash, record_id, link, stored_at, expires_at, created, recorded) VALUES (?, ?, ?, ?, ?, ?, 1)
       ON CONFLICT (token_hash) DO NOTHING`,
    ),
    /**
     * Replaces a session that has ended: authenticate may reopen it, a save may not. Do not run it if the
     * session is alive.
     */
    openSession: db.prepare<[TokenHash, string, number, number, number, string | null]>(
      `INSERT INTO sessions (token_hash, record_id, link, stored_at, expires_at, created, recorded) VALUES (?, ?, ?, ?, ?, ?, 0)
       ON CONFLICT (token_hash) DO UPDATE SET record_id = excluded.record_id, link = excluded.link, stored_at = excluded.stored_at,
         expires_at = excluded.expires_at, created = excluded.created, recorded = excluded.recorded`,
    ),
    recordSession: db.prepare<[TokenHash]>('UPDATE sessions SET recorded = 1 WHERE token_hash = ?'),
    endSession: db.prepare<[number, TokenHash, string]>(
      'UPDATE sessions SET link = NULL, created = NULL, expires_at = ? WHERE token_hash = ? AND link = (SELECT id FROM links WHERE user = ?)',
    ),
    purgeSessions: db.prepare<[number, number]>(
      'DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE expires_at < ? LIMIT ?)',
    ),
  };
}

function linkStatements(db: Database) {
  return {
    /** Finds no link for null. */
    linkOfSession: db.prepare<[number | null], Link>(
      'SELECT user, patient_id AS patientId, user_sign AS userSign FROM links WHERE id = ?',
    ),
    linkOfUser: db.prepare<[string], LinkRow>(
      'SELECT id, user, patient_id AS patientId, user_sign AS userSign FROM links WHERE user = ?',
    ),
    linkOfSign: db.prepare<[string, string], { id: number; patientId: string }>(
      'SELECT id, patient_id AS patientId FROM links WHERE user = ? AND user_sign = ?',
    ),
    linkOfPatient: db.prepare<[string], { user: string }>('SELECT user FROM links WHERE patient_id = ?'),
    putLink: db.prepare<[string, string, string]>(
      'INSERT INTO links (user, patient_id, user_sign) VALUES (?, ?, ?)',
    ),
    removeLink: db.prepare<[string]>('DELETE FROM links WHERE user = ?'),
  };
}

/** Ahead of the clock as long as behind it. */
const RECENT = `f.at > @since AND f.at < @since + ${2 * FAILED_MATCH_WINDOW_MS}`;

type TokenQuery = GuessedHashes & { hash: TokenHash; since: number };

function exchangeTokenStatements(db: Database) {
  return {
    /** Failed matches count for an hour around now, in case the clock was set back. A null hash has none. */
    exchangeToken: db.prepare<[TokenQuery], ExchangeRow>(
      `SELECT user, session_hash, session_lifetime, session_created, expires_at, failures, used,
         coalesce(id < (SELECT n.id FROM exchange_tokens n WHERE n.user = t.user AND n.session_hash = t.session_hash
           ORDER BY n.id DESC LIMIT 1 OFFSET ${MAX_PENDING_EXCHANGE_TOKENS - 1}), 0) AS superseded,
         (SELECT count(*) FROM failed_matches f WHERE f.user = t.user AND ${RECENT}) AS user_failures,
         (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM failed_matches f
           WHERE f.phone IN (@first, @second, @third) AND ${RECENT} GROUP BY f.phone)) AS guessed_failures
       FROM exchange_tokens t WHERE hash = @hash`,
    ),
    hasExchangeToken: db.prepare<[TokenHash]>('SELECT 1 FROM exchange_tokens WHERE hash = ?'),
    /** Changes nothing if the token is stored. */
    putExchangeToken: db.prepare<[TokenHash, string, string, TokenHash, number, string | null, number]>(
      `INSERT INTO exchange_tokens (hash, record_id, user, session_hash, session_lifetime, session_created, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    ),
    endTokensOfSession: db.prepare<[string, TokenHash]>(
      'UPDATE exchange_tokens SET used = 1 WHERE user = ? AND session_hash = ? AND used = 0',
    ),
    endTokensOfUser: db.prepare<[string]>('UPDATE exchange_tokens SET used = 1 WHERE user = ? AND used = 0'),
    useExchangeToken: db.prepare<[TokenHash]>('UPDATE exchange_tokens SET used = 1 WHERE hash = ?'),
    countFailure: db.prepare<[TokenHash]>(
      'UPDATE exchange_tokens SET failures = failures + 1 WHERE hash = ?',
    ),
    purgeExchangeTokens: db.prepare<[number, number]>(
      'DELETE FROM exchange_tokens WHERE id IN (SELECT id FROM exchange_tokens WHERE expires_at < ? LIMIT ?)',
    ),
  };
}

/** Failed matches, which limit the guesses of a user and at a patient. */
function failureStatements(db: Database) {
  return {
    putFailure: db.prepare<[string, Uint8Array | null, number]>(
      'INSERT INTO failed_matches (user, phone, at) VALUES (?, ?, ?)',
    ),
    purgeFailures: db.prepare<[number, number]>(
      'DELETE FROM failed_matches WHERE at < ? AND id IN (SELECT id FROM failed_matches ORDER BY id LIMIT ?)',
    ),
  };
}
