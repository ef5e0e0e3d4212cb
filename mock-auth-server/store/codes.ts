/** The newest one-time code of each phone or e-mail address, as a salted hash. */
import type { Database } from 'better-sqlite3';
import type { Attribute } from '../attribute.ts';

/**
 * The most codes to keep besides those that still work. Anybody may request codes for any number of phones,
 * so the oldest expired ones are deleted, but never one that works.
 */
export const MAX_CODES = 10_000;

export type CodeHash = { salt: Uint8Array; hash: Uint8Array };

/** `seq` identifies this sending. Times are milliseconds on the server's clock. */
export type SentCode = CodeHash & { seq: number; sentAt: number; expiresAt: number; failures: number };

export type Codes = ReturnType<typeof openCodes>;

export function openCodes(db: Database) {
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
    find: ({ kind, value }: Attribute): SentCode | undefined => find.get(kind, value),
    /** Store a code in place of the last one. Returns how many came after the oldest valid one. */
    put({ kind, value }: Attribute, { salt, hash }: CodeHash, sentAt: number, expiresAt: number): number {
      const seq = Number(put.run(kind, value, salt, hash, sentAt, expiresAt).lastInsertRowid);
      evict.run(seq - MAX_CODES, sentAt);
      return seq - (oldestAlive.get(sentAt)?.seq ?? seq);
    },
    countFailure: (seq: number): void => void fail.run(seq),
    /** Use up the code. False: it was used, replaced or removed before. */
    consume: (seq: number): boolean => consume.run(seq).changes > 0,
    remove: ({ kind, value }: { kind: string; value: string }): void => void remove.run(kind, value),
    purge: (before: number, limit: number): number => purge.run(before, limit).changes,
  };
}
