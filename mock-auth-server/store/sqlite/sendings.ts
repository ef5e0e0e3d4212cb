/** When a code was sent to each recipient, in SQLite. */
import type { Database } from 'better-sqlite3';
import type { Sendings } from '../store.ts';

/** Only this many sendings are kept: the newest ones. */
const MAX_SENDINGS = 1_000_000;

export function openSendings(db: Database): Sendings {
  const add = db.prepare<[Uint8Array, number]>('INSERT INTO sendings (recipient, sent_at) VALUES (?, ?)');
  const evict = db.prepare<[number]>('DELETE FROM sendings WHERE id <= ?');
  const since = db.prepare<[number, Uint8Array, number, number], { count: number; last: number | null }>(
    `SELECT count(*) AS count, max(sent_at) FILTER (WHERE sent_at <= ?) AS last
     FROM sendings WHERE recipient = ? AND sent_at > ? AND sent_at < ?`,
  );
  const purge = db.prepare<[number, number]>(
    'DELETE FROM sendings WHERE sent_at < ? AND id IN (SELECT id FROM sendings ORDER BY id LIMIT ?)',
  );

  return {
    add(recipient, now) {
      const { lastInsertRowid } = add.run(recipient, now);
      evict.run(Number(lastInsertRowid) - MAX_SENDINGS);
    },
    since: (recipient, time, now) =>
      since.get(now, recipient, time, 2 * now - time) ?? { count: 0, last: null },
    purge: (before, limit) => purge.run(before, limit).changes,
  };
}
