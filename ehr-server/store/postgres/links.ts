/**
 * Links in PostgreSQL: find them, make them in authenticate (§4.3) or count a failure, and remove them
 * (§4.6). Each change is a transaction.
 */
import { FAILED_MATCH_WINDOW_MS } from '#protocol/limits.ts';
import { hashToken, sameBytes } from '#protocol/wire/hashes.ts';
import { entryOf } from '../audit.ts';
import { failureRows, hashesOf, mayOpen, refusalOf, type TokenRow } from '../rules.ts';
import type { Attempt, Link, LinkOutcome, LinkRequest, TokenHash, TokenRefusal } from '../store.ts';
import { addEntry } from './audit.ts';
import { type Query, type Statement, TransactionConflict } from './connection.ts';
import { judgedColumns } from './exchange-tokens.ts';

const FIND: Statement = {
  name: 'link_find',
  text: `SELECT i.n, l.user_id, l.patient_id, l.user_sign
    FROM unnest($1::text[]) WITH ORDINALITY AS i(user_id, n) JOIN links l ON l.user_id = i.user_id`,
};

type LinkRow = { user_id: string; patient_id: string; user_sign: string };

export async function findLinks(query: Query, users: readonly string[]): Promise<(Link | undefined)[]> {
  const found: (Link | undefined)[] = users.map(() => undefined);
  for (const row of await query<LinkRow & { n: number }>(FIND, [users])) {
    found[row.n - 1] = { user: row.user_id, patientId: row.patient_id, userSign: row.user_sign };
  }
  return found;
}

type ExchangeRow = TokenRow & {
  user_id: string;
  session_hash: TokenHash;
  session_lifetime: number;
  session_created: string | null;
};

/*
 * Every transaction takes its locks in one order: exchange token, link, session. It waits for rows locked by
 * others, and its next statement reads them again.
 */
const sql = {
  takeToken: {
    name: 'link_take_token',
    text: `SELECT user_id, session_hash, session_lifetime, session_created,
      ${judgedColumns('exchange_tokens', '$2, $3, $4', '$5')}
      FROM exchange_tokens WHERE hash = $1 FOR NO KEY UPDATE`,
  },
  oneByOne: {
    name: 'fail_one_by_one',
    text: 'SELECT pg_advisory_xact_lock(key) FROM (SELECT DISTINCT unnest($1::bigint[]) AS key ORDER BY key) AS keys',
  },
  putFailure: {
    name: 'fail_put',
    text: 'INSERT INTO failed_matches (user_id, phone, at) VALUES ($1, $2, $3)',
  },
  session: {
    name: 'link_session',
    text: 'SELECT user_id, expires_at, ended FROM sessions WHERE token_hash = $1',
  },
  holdLink: {
    name: 'link_hold',
    text: 'SELECT user_id, patient_id, user_sign FROM links WHERE user_id = $1 FOR KEY SHARE',
  },
  holderOf: {
    name: 'link_of_patient',
    text: 'SELECT user_id FROM links WHERE patient_id = $1 FOR KEY SHARE',
  },
  putLink: {
    name: 'link_put',
    text: 'INSERT INTO links (user_id, patient_id, user_sign) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING user_id',
  },
  openSession: {
    name: 'link_open_session',
    text: `INSERT INTO sessions AS s (token_hash, record_id, user_id, stored_at, expires_at, created, recorded)
      VALUES ($1, $2, $3, $4, $5, $6, false)
      ON CONFLICT (token_hash) DO UPDATE SET record_id = excluded.record_id, user_id = excluded.user_id,
        stored_at = excluded.stored_at, expires_at = excluded.expires_at, created = excluded.created, recorded = false,
        ended = false
      WHERE s.ended
      RETURNING token_hash`,
  },
  useToken: { name: 'link_use_token', text: 'UPDATE exchange_tokens SET used = true WHERE hash = $1' },
  countFailure: {
    name: 'link_fail',
    text: 'UPDATE exchange_tokens SET failures = failures + 1 WHERE hash = $1',
  },
  takeTokens: {
    name: 'remove_take_tokens',
    text: 'SELECT hash FROM exchange_tokens WHERE user_id = $1 AND NOT used ORDER BY hash FOR NO KEY UPDATE',
  },
  endTokens: {
    name: 'remove_end_tokens',
    text: 'UPDATE exchange_tokens SET used = true WHERE user_id = $1 AND NOT used',
  },
  takeLink: { name: 'remove_take_link', text: 'SELECT patient_id FROM links WHERE user_id = $1 FOR UPDATE' },
  takeSessions: {
    name: 'remove_take_sessions',
    text: `SELECT token_hash FROM sessions WHERE user_id = $1 AND NOT ended
      ORDER BY token_hash FOR NO KEY UPDATE`,
  },
  removeLink: { name: 'remove_link', text: 'DELETE FROM links WHERE user_id = $1' },
  endSessions: {
    name: 'remove_end_sessions',
    text: `UPDATE sessions SET ended = true, user_id = '', created = NULL, expires_at = $2
      WHERE user_id = $1 AND NOT ended`,
  },
} satisfies Record<string, Statement>;

/**
 * Use the exchange token, link its user and open its session. Run it in a transaction.
 * @throws TransactionConflict when another transaction changed what this one had read
 */
export async function link(
  query: Query,
  request: LinkRequest,
  { isAudited, perHour }: LinkOptions,
): Promise<LinkOutcome> {
  const { exchangeToken, patientId, now } = request;
  const row = await takeToken(query, request);
  const unusable = refusalOf(row, now, perHour);
  if (unusable || !row) return { refused: unusable ?? 'exchange_token_unknown' };
  const outcome = await linkBy(query, row, request);
  if ('refused' in outcome && outcome.refused !== 'token_already_stored')
    await countFailedMatch(query, request, row.user_id);
  if (!('refused' in outcome)) await query(sql.useToken, [exchangeToken]);
  const entry = entryOf(now, 'embedded_storage.authenticate', row.user_id, patientId, outcome);
  if (isAudited) await addEntry(query, entry);
  return outcome;
}

/** `perHour`: the most failed matches of a user, and of who is guessed, within an hour. */
export type LinkOptions = { isAudited: boolean; perHour: number };

/** Read the exchange token and lock it until the transaction ends. */
async function takeToken(query: Query, attempt: Attempt): Promise<ExchangeRow | undefined> {
  const since = attempt.now - FAILED_MATCH_WINDOW_MS;
  const { first, second, third } = hashesOf(attempt);
  const [row] = await query<ExchangeRow>(sql.takeToken, [attempt.exchangeToken, first, second, third, since]);
  return row;
}

async function countFailedMatch(query: Query, attempt: Attempt, user: string): Promise<void> {
  await query(sql.countFailure, [attempt.exchangeToken]);
  for (const row of failureRows(user, attempt)) await query(sql.putFailure, [...row, attempt.now]);
}

/**
 * Count a failed match. Run it in a transaction. Failures of one user, and at one patient, are serialized, so
 * that no more of them count than an hour allows, however many come at once.
 */
export async function countFailure(
  query: Query,
  attempt: Attempt,
  { isAudited, perHour }: LinkOptions,
): Promise<TokenRefusal | undefined> {
  const found = await takeToken(query, attempt);
  if (!found) return 'exchange_token_unknown';
  const user = found.user_id;
  const keys = [hashToken(user), ...attempt.guessed];
  await query(sql.oneByOne, [keys.map(lockNumberOf)]);
  // Read again: other attempts may have failed in the meantime.
  const refused = refusalOf(await takeToken(query, attempt), attempt.now, perHour);
  if (refused) return refused;
  await countFailedMatch(query, attempt, user);
  const outcome = { refused: 'patient_not_matched' };
  const entry = entryOf(attempt.now, 'embedded_storage.authenticate', user, null, outcome);
  if (isAudited) await addEntry(query, entry);
  return undefined;
}

/** The number of the lock for this hash. */
function lockNumberOf(hash: Uint8Array): bigint {
  return new DataView(hash.buffer, hash.byteOffset).getBigInt64(0);
}

/** Link the user of `token`, which this transaction has locked and which can be used. */
async function linkBy(query: Query, token: ExchangeRow, request: LinkRequest): Promise<LinkOutcome> {
  const { patientId, newUserSign, recordId, now } = request;
  const user = token.user_id;
  if (!(await mayOpenNow(query, token, now))) return { refused: 'token_already_stored' };
  const [known] = await query<LinkRow>(sql.holdLink, [user]);
  // The call that made the conflicting link may have stored the session token too, after it was looked up
  // here.
  const refuse = async (refused: 'patient_already_matched' | 'patient_already_linked') =>
    (await mayOpenNow(query, token, now)) ? { refused } : { refused: 'token_already_stored' as const };
  if (known && known.patient_id !== patientId) return refuse('patient_already_matched');
  if (!known) {
    const [holder] = await query<{ user_id: string }>(sql.holderOf, [patientId]);
    if (holder?.user_id === user)
      throw new TransactionConflict('Another call linked the user in the same moment.');
    if (holder) return refuse('patient_already_linked');
    const made = await query(sql.putLink, [user, patientId, newUserSign]);
    if (made.length === 0)
      throw new TransactionConflict('Another call linked the user or the patient in the same moment.');
  }
  const session = [
    token.session_hash,
    recordId,
    user,
    now,
    now + token.session_lifetime,
    token.session_created,
  ];
  const opened = await query(sql.openSession, session);
  // A live session of this user stays unchanged. It may have ended or changed its user in the meantime.
  if (opened.length === 0 && !(await isAlive(query, token, now))) {
    throw new TransactionConflict('Another call stored the session token in the same moment.');
  }
  return { userSign: known?.user_sign ?? newUserSign };
}

type SessionRow = { user_id: string; expires_at: number; ended: boolean };

const holderOf = ({ ended, user_id }: SessionRow) => (ended ? undefined : user_id);

async function mayOpenNow(query: Query, token: ExchangeRow, now: number): Promise<boolean> {
  const [stored] = await query<SessionRow>(sql.session, [token.session_hash]);
  return !stored || mayOpen(holderOf(stored), stored.expires_at, token.user_id, now);
}

async function isAlive(query: Query, token: ExchangeRow, now: number): Promise<boolean> {
  const [stored] = await query<SessionRow>(sql.session, [token.session_hash]);
  return (
    stored !== undefined && !stored.ended && mayOpen(stored.user_id, stored.expires_at, token.user_id, now)
  );
}

/**
 * Remove the link of the user of this session, then end all sessions and pending exchange tokens of the user.
 * A call that saves a session holds the link, so it has committed by then. Run it in a transaction.
 * @throws TransactionConflict when the user was linked again in the meantime
 */
export async function removeUser(
  query: Query,
  { tokenHash, user, now }: { tokenHash: TokenHash; user: string; now: number },
  isAudited: boolean,
): Promise<boolean> {
  await query(sql.takeTokens, [user]);
  const [known] = await query<{ patient_id: string }>(sql.takeLink, [user]);
  const sessions = await query<{ token_hash: TokenHash }>(sql.takeSessions, [user]);
  if (!sessions.some(({ token_hash: hash }) => sameBytes(hash, tokenHash))) return false;
  if (!known) throw new TransactionConflict('Another call linked the user in the same moment.');
  await query(sql.removeLink, [user]);
  await query(sql.endSessions, [user, now]);
  await query(sql.endTokens, [user]);
  const entry = entryOf(now, 'embedded_storage.remove_authentication', user, known.patient_id, {});
  if (isAudited) await addEntry(query, entry);
  return true;
}
