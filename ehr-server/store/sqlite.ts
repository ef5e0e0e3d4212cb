/** The store on SQLite. Reads answer at once; writes go through the group writer. */
import type { Database } from 'better-sqlite3';
import { GroupWriter } from './group-writer.ts';
import { migrate } from './schema.ts';
import {
  type Link,
  MAX_FAILURES,
  type NewSession,
  type Session,
  type Store,
  type TokenHash,
  type TokenRefusal,
} from './store.ts';

type SessionRow = { record_id: string; user: string; expires_at: number; recorded: number; ended: number };
type ExchangeRow = {
  user: string;
  session_hash: TokenHash;
  session_lifetime: number;
  session_created: string | null;
  expires_at: number;
  failures: number;
  used: number;
};

/** Opens the store in `db`, creating or upgrading its tables. Closing the store closes `db`. */
export function sqliteStore(db: Database): Store {
  migrate(db);
  const sql = prepare(db);
  const writer = new GroupWriter(db);

  const refusalOf = (row: ExchangeRow | undefined, now: number): TokenRefusal | undefined => {
    if (!row || row.used) return 'exchange_token_unknown';
    if (now >= row.expires_at) return 'exchange_token_expired';
    return row.failures >= MAX_FAILURES ? 'exchange_token_exhausted' : undefined;
  };
  const putSession = (session: NewSession, now: number, recorded: 0 | 1) =>
    sql.putSession.run(
      session.tokenHash,
      session.recordId,
      session.user,
      now,
      now + session.lifetime,
      session.created ?? null,
      recorded,
    );

  return {
    findSession(tokenHash) {
      const row = sql.session.get(tokenHash);
      return row && !row.ended ? ({ user: row.user, expiresAt: row.expires_at } satisfies Session) : undefined;
    },
    findLink: (user) => sql.linkOfUser.get(user),
    refusalOf: (hash, now) => refusalOf(sql.exchangeToken.get(hash), now),

    saveSession: (session, userSign, now, mayRecord) =>
      writer.write(() => {
        if (sql.linkOfUser.get(session.user)?.userSign !== userSign) return { refused: 'user_unknown' };
        const stored = sql.session.get(session.tokenHash);
        if (!stored) {
          putSession(session, now, 1);
          return { id: session.recordId };
        }
        const recordable =
          mayRecord && !stored.recorded && !stored.ended && stored.user === session.user && now < stored.expires_at;
        if (!recordable) return { refused: 'token_already_stored' };
        sql.recordSession.run(session.tokenHash);
        return { id: stored.record_id };
      }),

    saveExchangeToken: ({ hash, expiresAt, recordId, session }, now) =>
      writer.write(() => {
        if (sql.exchangeToken.get(hash)) return { refused: 'exchange_token_already_stored' };
        const stored = sql.session.get(session.tokenHash);
        if (stored && !mayOpen(stored, session.user, now)) return { refused: 'token_already_stored' };
        const { user, tokenHash, lifetime, created } = session;
        sql.putExchangeToken.run(hash, recordId, user, tokenHash, lifetime, created ?? null, expiresAt);
        return { id: recordId };
      }),

    link: ({ exchangeToken, patientId, newUserSign, recordId, now }) =>
      writer.write(() => {
        const token = sql.exchangeToken.get(exchangeToken);
        const refused = refusalOf(token, now);
        if (refused || !token) return { refused: refused ?? 'exchange_token_unknown' };
        const session = sql.session.get(token.session_hash);
        if (session && !mayOpen(session, token.user, now)) return { refused: 'token_already_stored' };
        const link = sql.linkOfUser.get(token.user);
        if (link ? link.patientId !== patientId : sql.linkOfPatient.get(patientId)) {
          sql.countFailure.run(exchangeToken);
          return { refused: link ? 'patient_already_matched' : 'patient_already_linked' };
        }
        const userSign = link?.userSign ?? newUserSign;
        if (!link) sql.putLink.run(token.user, patientId, userSign);
        if (!session || session.ended) {
          const { user, session_hash: tokenHash, session_lifetime: lifetime, session_created: created } = token;
          putSession({ tokenHash, user, lifetime, created: created ?? undefined, recordId }, now, 0);
        }
        sql.useExchangeToken.run(exchangeToken);
        return { userSign };
      }),

    countFailure: (hash, now) =>
      writer.write(() => {
        const refused = refusalOf(sql.exchangeToken.get(hash), now);
        if (!refused) sql.countFailure.run(hash);
        return refused;
      }),

    removeSession: (tokenHash, user, now) => writer.write(() => sql.endSession.run(now, tokenHash, user).changes > 0),

    removeUser: (tokenHash, user, now) =>
      writer.write(() => {
        const session = sql.session.get(tokenHash);
        if (!session || session.ended || session.user !== user) return false;
        sql.removeLink.run(user);
        sql.endSessionsOfUser.run(now, user);
        return true;
      }),

    purge: (before, limit) =>
      writer.write(
        () => sql.purgeSessions.run(before, limit).changes + sql.purgeExchangeTokens.run(before, limit).changes,
      ),

    check: () => void sql.probe.get(),
    async close() {
      await writer.settled();
      db.close();
    },
  };
}

/** Whether authenticate may open this stored session for `user`: it is his and alive, or it was ended by him or another (decision 21a). */
function mayOpen(stored: SessionRow, user: string, now: number): boolean {
  return stored.ended === 1 || (stored.user === user && now < stored.expires_at);
}

function prepare(db: Database) {
  return {
    session: db.prepare<[TokenHash], SessionRow>(
      'SELECT record_id, user, expires_at, recorded, ended FROM sessions WHERE token_hash = ?',
    ),
    // A session that a logout ended may be opened anew by authenticate, never by a save.
    putSession: db.prepare<[TokenHash, string, string, number, number, string | null, 0 | 1]>(
      `INSERT INTO sessions (token_hash, record_id, user, stored_at, expires_at, created, recorded) VALUES (?, ?, ?, ?, ?, ?, ?)
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
    linkOfPatient: db.prepare<[string], { user: string }>('SELECT user FROM links WHERE patient_id = ?'),
    putLink: db.prepare<[string, string, string]>('INSERT INTO links (user, patient_id, user_sign) VALUES (?, ?, ?)'),
    removeLink: db.prepare<[string]>('DELETE FROM links WHERE user = ?'),
    exchangeToken: db.prepare<[TokenHash], ExchangeRow>(
      'SELECT user, session_hash, session_lifetime, session_created, expires_at, failures, used FROM exchange_tokens WHERE hash = ?',
    ),
    putExchangeToken: db.prepare<[TokenHash, string, string, TokenHash, number, string | null, number]>(
      `INSERT INTO exchange_tokens (hash, record_id, user, session_hash, session_lifetime, session_created, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
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
  };
}
