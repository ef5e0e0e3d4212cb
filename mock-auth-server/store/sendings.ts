/**
 * When a code was sent to each recipient. This is kept apart from the codes, so that neither a confirmation
 * nor a deletion shortens the pause between two codes.
 */
import type { Database } from 'better-sqlite3';

/** Only this many sendings are kept: the newest ones. */
const MAX_SENDINGS = 1_000_000;

export type Sendings = ReturnType<typeof openSendings>;

/** `recipient` is a keyed hash. Times are milliseconds on the server's clock. */
export function openSendings(db: Database) {
  const add = db.prepare<[Uint8Array, number]>('INSERT INTO sendings (recipient, sent_at) VALUES (?, ?)');
  const evict = db.prepare<[number]>('DELETE FROM sendings WHERE id <= ?');
  const since = db.prepare<[Uint8Array, number], { count: number; last: number | null }>(
    'SELECT count(*) AS count, max(sent_at) AS last FROM sendings WHERE recipient = ? AND sent_at > ?',
  );
  const purge = db.prepare<[number, number]>(
    'DELETE FROM sendings WHERE sent_at < ? AND id IN (SELECT id FROM sendings ORDER BY id LIMIT ?)',
  );

  return {
    add(recipient: Uint8Array, now: number): void {
      const { lastInsertRowid } = add.run(recipient, now);
      evict.run(Number(lastInsertRowid) - MAX_SENDINGS);
    },
    /**
     * How many codes were sent to this recipient after `time`, and when the last one was; null if none was.
     */
    since: (recipient: Uint8Array, time: number) => since.get(recipient, time) ?? { count: 0, last: null },
    purge: (before: number, limit: number): number => purge.run(before, limit).changes,
  };
}
