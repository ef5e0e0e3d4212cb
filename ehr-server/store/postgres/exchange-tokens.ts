/** Exchange tokens in PostgreSQL: looked at, saved (§4.2) and their failures counted in groups. */
import { refusalOf } from '../rules.ts';
import {
  MAX_FAILURES,
  type NewExchangeToken,
  type SaveExchangeTokenOutcome,
  type TokenHash,
  type TokenRefusal,
} from '../store.ts';
import { auditPart } from './audit.ts';
import type { Query, Statement } from './connection.ts';
import { storable } from './sessions.ts';

const FIND: Statement = {
  name: 'exchange_find',
  text: `SELECT i.n, x.expires_at, x.failures, x.used
    FROM unnest($1::bytea[]) WITH ORDINALITY AS i(hash, n) JOIN exchange_tokens x ON x.hash = i.hash`,
};

export type TokenAt = { hash: TokenHash; now: number };

export async function refusalsOf(query: Query, calls: readonly TokenAt[]): Promise<(TokenRefusal | undefined)[]> {
  type Row = { n: number; expires_at: number; failures: number; used: boolean };
  const rows = new Map<number, Row>();
  for (const row of await query<Row>(FIND, [calls.map(({ hash }) => hash)])) rows.set(row.n - 1, row);
  return calls.map(({ now }, index) => refusalOf(rows.get(index), now));
}

export type TokenToSave = { token: NewExchangeToken; now: number };

/** Saves exchange tokens that differ. */
export function saverOfTokens(isAudited: boolean) {
  const statement: Statement = {
    name: 'exchange_save',
    text: `WITH input AS MATERIALIZED (
      SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[])
        WITH ORDINALITY AS i(hash, record_id, user_id, session_hash, lifetime, created, expires_at, at, n)
    ), judged AS MATERIALIZED (
      SELECT i.*, x.hash IS NOT NULL AS is_stored,
        (s.token_hash IS NULL OR s.ended OR (s.user_id = i.user_id AND s.expires_at > i.at)) AS may_open
      FROM input i
        LEFT JOIN exchange_tokens x ON x.hash = i.hash
        LEFT JOIN sessions s ON s.token_hash = i.session_hash
    ), put AS (
      INSERT INTO exchange_tokens
        (hash, record_id, user_id, session_hash, session_lifetime, session_created, expires_at)
      SELECT hash, record_id, user_id, session_hash, lifetime, created, expires_at
      FROM judged WHERE may_open AND NOT is_stored ORDER BY hash
      ON CONFLICT (hash) DO NOTHING
      RETURNING hash
    ), outcomes AS MATERIALIZED (
      SELECT j.n, j.at, j.user_id, NULL AS patient_id,
        CASE WHEN put.hash IS NOT NULL THEN 'ok'
          WHEN j.is_stored OR j.may_open THEN 'exchange_token_already_stored'
          ELSE 'token_already_stored' END AS outcome
      FROM judged j LEFT JOIN put ON put.hash = j.hash
    )${auditPart(isAudited, 'embedded_storage.save_exchange_token')}
    SELECT n, outcome FROM outcomes`,
  };
  return async (query: Query, calls: readonly TokenToSave[]): Promise<SaveExchangeTokenOutcome[]> => {
    type Row = { n: number; outcome: 'ok' | 'exchange_token_already_stored' | 'token_already_stored' };
    const tokens = calls.map(({ token }) => token);
    const rows = await query<Row>(statement, [
      tokens.map(({ hash }) => hash),
      tokens.map(({ recordId }) => recordId),
      tokens.map(({ session }) => session.user),
      tokens.map(({ session }) => session.tokenHash),
      tokens.map(({ session }) => session.lifetime),
      tokens.map(({ session }) => storable(session.created)),
      tokens.map(({ expiresAt }) => expiresAt),
      calls.map(({ now }) => now),
    ]);
    const outcomes: SaveExchangeTokenOutcome[] = tokens.map(({ recordId }) => ({ id: recordId }));
    for (const { n, outcome } of rows) if (outcome !== 'ok') outcomes[n - 1] = { refused: outcome };
    return outcomes;
  };
}

/** Counts a failed match on exchange tokens that differ. */
export function counterOfFailures(isAudited: boolean) {
  const statement: Statement = {
    name: 'exchange_fail',
    text: `WITH input AS MATERIALIZED (
      SELECT * FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS i(hash, at, n)
    ), locked AS MATERIALIZED (
      SELECT i.* FROM input i JOIN exchange_tokens x ON x.hash = i.hash ORDER BY x.hash FOR NO KEY UPDATE OF x
    ), counted AS (
      UPDATE exchange_tokens x SET failures = failures + 1
      FROM locked l WHERE x.hash = l.hash AND NOT x.used AND x.expires_at > l.at AND x.failures < ${MAX_FAILURES}
      RETURNING l.n, l.at, x.user_id
    ), outcomes AS MATERIALIZED (
      SELECT n, at, user_id, NULL AS patient_id, 'patient_not_matched' AS outcome FROM counted
    )${auditPart(isAudited, 'embedded_storage.authenticate')}
    SELECT n FROM outcomes`,
  };
  return async (query: Query, calls: readonly TokenAt[]): Promise<(TokenRefusal | undefined)[]> => {
    const counted = new Set<number>();
    const rows = await query<{ n: number }>(statement, [calls.map(({ hash }) => hash), calls.map(({ now }) => now)]);
    for (const { n } of rows) counted.add(n - 1);
    if (counted.size === calls.length) return calls.map(() => undefined);
    // A token that cannot be used never can again, so why not may be asked afterwards; one that can be used by then
    // has come since.
    const why = await refusalsOf(query, calls);
    return calls.map((_, index) => (counted.has(index) ? undefined : (why[index] ?? 'exchange_token_unknown')));
  };
}
