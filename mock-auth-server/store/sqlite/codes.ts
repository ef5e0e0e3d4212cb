/** One-time codes in SQLite. */
import type { Database } from 'better-sqlite3';
import { type Codes, MAX_CODES, type SentCode } from '../store.ts';

export function openCodes(db: Database): Codes {
  const find = db.prepare<[string, string], SentCode>(
    'SELECT seq, salt, hash, sent_at AS sentAt, expires_at AS expiresAt, failures FROM codes WHERE kind = ? AND value = ?',
  );
  const put = db.prepare<[string, string, Uint8Array, Uint8Array, number, number]>(
    'INSERT OR REPLACE INTO codes (kind, value, salt, hash, sent_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const evict = db.prepare<[number, number]>('DELETE FROM codes WHERE seq <= ? AND expires_at <= ?');
  const oldestAlive = db.prepare<[number], { seq: number }>(
    'SELECT seq FROM codes WHERE expires_at > ? ORDER BY expires_at, seq LIMIT 1',
  );
  const fail = db.prepare<[number]>('UPDATE codes SET failures = failures + 1 WHERE seq = ?');
  const consume = db.prepare<[number]>('DELETE FROM codes WHERE seq = ?');
  const remove = db.prepare<[string, string]>('DELETE FROM codes WHERE kind = ? AND value = ?');
  const purge = db.prepare<[number, number]>(
    'DELETE FROM codes WHERE seq IN (SELECT seq FROM codes WHERE expires_at < ? LIMIT ?)',
  );

  return {
    find: ({ kind, value }) => find.get(kind, value),
    put({ kind, value }, { salt, hash }, sentAt, expiresAt) {
      const seq = Number(put.run(kind, value, salt, hash, sentAt, expiresAt).lastInsertRowid);
      evict.run(seq - MAX_CODES, sentAt);
      return seq - (oldestAlive.get(sentAt)?.seq ?? seq);
    },
    countFailure: (seq) => void fail.run(seq),
    consume: (seq) => consume.run(seq).changes > 0,
    remove: ({ kind, value }) => void remove.run(kind, value),
    purge: (before, limit) => purge.run(before, limit).changes,
  };
}
