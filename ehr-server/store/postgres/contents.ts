/** Reads what the PostgreSQL store holds now. */
import type { Contents } from '../store.ts';
import type { Query } from './connection.ts';

const SESSIONS = {
  name: 'contents_sessions',
  text: `SELECT s.token_hash AS "tokenHash", s.user_id AS user, l.patient_id AS "patientId", s.expires_at AS "expiresAt"
    FROM sessions s JOIN links l ON l.user_id = s.user_id WHERE NOT s.ended ORDER BY s.expires_at DESC, s.token_hash LIMIT $1`,
};
const EXCHANGE_TOKENS = {
  name: 'contents_exchange_tokens',
  text: `SELECT hash, user_id AS user, expires_at AS "expiresAt", failures
    FROM exchange_tokens WHERE NOT used ORDER BY expires_at DESC, hash LIMIT $1`,
};
const LINKS = {
  name: 'contents_links',
  text: 'SELECT user_id AS user, patient_id AS "patientId" FROM links ORDER BY user_id LIMIT $1',
};

/** Read at most `limit` rows of each kind. */
export async function readContents(query: Query, limit: number): Promise<Contents> {
  return {
    sessions: await query<Contents['sessions'][number]>(SESSIONS, [limit]),
    exchangeTokens: await query<Contents['exchangeTokens'][number]>(EXCHANGE_TOKENS, [limit]),
    links: await query<Contents['links'][number]>(LINKS, [limit]),
  };
}
