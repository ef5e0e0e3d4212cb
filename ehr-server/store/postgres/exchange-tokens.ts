/** Exchange tokens in PostgreSQL: checked and saved (§4.2) in batches. */
import { FAILED_MATCH_WINDOW_MS, MAX_PENDING_EXCHANGE_TOKENS } from '#protocol/limits.ts';
import { hashesOf, refusalOf, type TokenRow } from '../rules.ts';
import type { Attempt, NewExchangeToken, SaveExchangeTokenOutcome, TokenRefusal } from '../store.ts';
import { auditPart } from './audit.ts';
import type { Query, Statement } from './connection.ts';
import { storable } from './sessions.ts';

/**
 * The columns of `table` that the rules look at, for an attempt with the hashes `guessed`. Each of them may
 * be null. Failed matches count after `since`.
 */
export function judgedColumns(table: string, guessed: string, since: string): string {
  // Ahead of the clock as long as behind it, in case it was set back.
  const recent = `f.at > ${since} AND f.at < ${since} + ${2 * FAILED_MATCH_WINDOW_MS}`;
  return `${table}.expires_at, ${table}.failures, ${table}.used,
    coalesce(${table}.seq < (SELECT newer.seq FROM exchange_tokens newer
      WHERE newer.user_id = ${table}.user_id AND newer.session_hash = ${table}.session_hash
      ORDER BY newer.seq DESC LIMIT 1 OFFSET ${MAX_PENDING_EXCHANGE_TOKENS - 1}), false) AS superseded,
    (SELECT count(*) FROM failed_matches f WHERE f.user_id = ${table}.user_id AND ${recent}) AS user_failures,
    (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM failed_matches f
      WHERE f.phone IN (${guessed}) AND ${recent} GROUP BY f.phone) AS counts) AS guessed_failures`;
}

const FIND: Statement = {
  name: 'exchange_find',
  text: `SELECT i.n, ${judgedColumns('x', 'i.first, i.second, i.third', 'i.since')}
    FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bigint[])
      WITH ORDINALITY AS i(hash, first, second, third, since, n)
    JOIN exchange_tokens x ON x.hash = i.hash`,
};

/** Why each exchange token cannot be used. `perHour` limits failed matches by user, and by who is guessed. */
export async function refusalsOf(
  query: Query,
  calls: readonly Attempt[],
  perHour: number,
): Promise<(TokenRefusal | undefined)[]> {
  const rows = new Map<number, TokenRow>();
  const found = await query<TokenRow & { n: number }>(FIND, [
    calls.map(({ exchangeToken }) => exchangeToken),
    calls.map((call) => hashesOf(call).first),
    calls.map((call) => hashesOf(call).second),
    calls.map((call) => hashesOf(call).third),
    calls.map(({ now }) => now - FAILED_MATCH_WINDOW_MS),
  ]);
  for (const row of found) rows.set(row.n - 1, row);
  return calls.map(({ now }, index) => refusalOf(rows.get(index), now, perHour));
}

type TokenToSave = { token: NewExchangeToken; now: number };

/** Create the function that judges and saves a batch of different exchange tokens. */
export function saverOfTokens(query: Query, isAudited: boolean) {
  type Row = { n: number; outcome: 'ok' | 'exchange_token_already_stored' | 'token_already_stored' };
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
  return async (calls: readonly TokenToSave[]): Promise<SaveExchangeTokenOutcome[]> => {
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
