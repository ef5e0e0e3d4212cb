/**
 * Sessions in PostgreSQL: found, saved (§4.1) and ended (§4.5) in batches. The audit part of a statement
 * reads the columns of its part `outcomes`.
 */
import type { NewSession, SaveSessionOutcome, Session, TokenHash } from '../store.ts';
import { auditPart } from './audit.ts';
import type { Query, Statement } from './connection.ts';

/** An ended session names no user, so it has no link. */
const FIND: Statement = {
  name: 'session_find',
  text: `SELECT i.n, s.user_id, s.expires_at, l.patient_id, l.user_sign
    FROM unnest($1::bytea[]) WITH ORDINALITY AS i(token_hash, n) JOIN sessions s ON s.token_hash = i.token_hash
    JOIN links l ON l.user_id = s.user_id`,
};

type FoundRow = { n: number; user_id: string; expires_at: number; patient_id: string; user_sign: string };

export async function findSessions(
  query: Query,
  hashes: readonly TokenHash[],
): Promise<(Session | undefined)[]> {
  const found: (Session | undefined)[] = hashes.map(() => undefined);
  for (const row of await query<FoundRow>(FIND, [hashes])) {
    const link = { user: row.user_id, patientId: row.patient_id, userSign: row.user_sign };
    found[row.n - 1] = { link, expiresAt: row.expires_at };
  }
  return found;
}

export type SessionToSave = { session: NewSession; userSign: string; now: number };

/**
 * Create the function that saves a batch of sessions with different tokens. The link is locked until the
 * commit, so that no call removes it without seeing this session. A link that another transaction has just
 * removed is not found.
 * @param mayRecord whether it may save a session that only `authenticate` has stored (decision 14). Such a
 *   session has `recorded` false until then.
 */
export function saverOfSessions(query: Query, isAudited: boolean, mayRecord: boolean) {
  const statement: Statement = {
    name: `session_save_${mayRecord ? 'or_record' : 'only'}`,
    text: `WITH input AS MATERIALIZED (
      SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
        WITH ORDINALITY AS i(token_hash, user_id, user_sign, at, expires_at, created, record_id, n)
    ), linked AS MATERIALIZED (
      SELECT i.*, l.patient_id FROM input i JOIN links l ON l.user_id = i.user_id AND l.user_sign = i.user_sign
      ORDER BY l.user_id FOR KEY SHARE OF l
    ), put AS (
      INSERT INTO sessions AS s (token_hash, record_id, user_id, stored_at, expires_at, created, recorded)
      SELECT token_hash, record_id, user_id, at, expires_at, created, true FROM linked ORDER BY token_hash
      ON CONFLICT (token_hash) DO UPDATE SET recorded = true
        WHERE ${mayRecord} AND NOT s.recorded AND NOT s.ended AND s.user_id = excluded.user_id AND s.expires_at > excluded.stored_at
      RETURNING token_hash, record_id
    ), outcomes AS MATERIALIZED (
      SELECT linked.n, linked.at, linked.user_id, linked.patient_id, put.record_id,
        CASE WHEN put.record_id IS NULL THEN 'token_already_stored' ELSE 'ok' END AS outcome
      FROM linked LEFT JOIN put ON put.token_hash = linked.token_hash
    )${auditPart(isAudited, 'embedded_storage.save_auth_info')}
    SELECT n, record_id FROM outcomes`,
  };
  return async (calls: readonly SessionToSave[]): Promise<SaveSessionOutcome[]> => {
    const rows = await query<{ n: number; record_id: string | null }>(statement, [
      calls.map(({ session }) => session.tokenHash),
      calls.map(({ session }) => session.user),
      calls.map(({ userSign }) => userSign),
      calls.map(({ now }) => now),
      calls.map(({ session, now }) => now + session.lifetime),
      calls.map(({ session }) => storable(session.created)),
      calls.map(({ session }) => session.recordId),
    ]);
    const outcomes = calls.map((): SaveSessionOutcome => ({ refused: 'user_unknown' }));
    for (const { n, record_id: id } of rows) {
      outcomes[n - 1] = id === null ? { refused: 'token_already_stored' } : { id };
    }
    return outcomes;
  };
}

/** Replace the one character that PostgreSQL cannot store. */
export function storable(created: string | undefined): string | null {
  return created?.replaceAll('\0', '\uFFFD') ?? null;
}

type SessionToEnd = { tokenHash: TokenHash; user: string; now: number };

/**
 * Create the function that ends a batch of sessions with different tokens, and their pending exchange tokens,
 * which are locked first. Of two calls for one session, only one ends it.
 */
export function enderOfSessions(query: Query, isAudited: boolean) {
  const statement: Statement = {
    name: 'session_end',
    text: `WITH input AS MATERIALIZED (
      SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[]) WITH ORDINALITY AS i(token_hash, user_id, at, n)
    ), tokens AS MATERIALIZED (
      SELECT x.hash FROM input i JOIN exchange_tokens x ON x.user_id = i.user_id AND x.session_hash = i.token_hash
      WHERE NOT x.used ORDER BY x.hash FOR NO KEY UPDATE OF x
    ), locked AS MATERIALIZED (
      -- The count takes all rows of tokens, so they are locked before the sessions.
      SELECT i.* FROM (SELECT count(*) FROM tokens) AS held, input i JOIN sessions s ON s.token_hash = i.token_hash
      ORDER BY s.token_hash FOR NO KEY UPDATE OF s
    ), ended AS (
      UPDATE sessions s SET ended = true, user_id = '', created = NULL, expires_at = l.at
      FROM locked l WHERE s.token_hash = l.token_hash AND s.user_id = l.user_id AND NOT s.ended
      RETURNING l.n, l.at, l.user_id, l.token_hash
    ), ended_tokens AS (
      UPDATE exchange_tokens x SET used = true
      FROM ended e WHERE x.user_id = e.user_id AND x.session_hash = e.token_hash AND NOT x.used
    ), outcomes AS MATERIALIZED (
      SELECT n, at, user_id, NULL AS patient_id, 'ok' AS outcome FROM ended
    )${auditPart(isAudited, 'embedded_storage.remove_auth_info')}
    SELECT n FROM outcomes`,
  };
  return async (calls: readonly SessionToEnd[]): Promise<boolean[]> => {
    const rows = await query<{ n: number }>(statement, [
      calls.map(({ tokenHash }) => tokenHash),
      calls.map(({ user }) => user),
      calls.map(({ now }) => now),
    ]);
    const ended = calls.map(() => false);
    for (const { n } of rows) ended[n - 1] = true;
    return ended;
  };
}
