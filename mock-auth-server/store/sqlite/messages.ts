/** The messages in SQLite. */
import type { Database } from 'better-sqlite3';
import { MAX_MESSAGES, type Messages, type StoredMessage } from '../store.ts';

export function openMessages(db: Database): Messages {
  const columns = 'id, value AS "to", text, code, sent_at AS at';
  const add = db.prepare<[string, string, string, string, number]>(
    'INSERT INTO messages (kind, value, text, code, sent_at) VALUES (?, ?, ?, ?, ?)',
  );
  const evict = db.prepare<[number]>('DELETE FROM messages WHERE id <= ?');
  const all = db.prepare<[number], StoredMessage>(
    `SELECT ${columns} FROM messages WHERE id > ? ORDER BY id DESC`,
  );
  const ofOne = db.prepare<[string, string, number], StoredMessage>(
    `SELECT ${columns} FROM messages WHERE kind = ? AND value = ? AND id > ? ORDER BY id DESC`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM messages WHERE kind = ? AND value = ?');

  return {
    add({ kind, value }, text, code, at) {
      const { lastInsertRowid } = add.run(kind, value, text, code, at);
      evict.run(Number(lastInsertRowid) - MAX_MESSAGES);
    },
    list: (to, after = 0) => (to ? ofOne.all(to.kind, to.value, after) : all.all(after)),
    remove: ({ kind, value }) => void remove.run(kind, value),
  };
}
