/** The messages of the simulated SMS and e-mail delivery. They contain codes in clear, as on a phone. */
import type { Database } from 'better-sqlite3';
import type { Attribute } from '../attribute.ts';

/** Only this many messages are kept: the newest ones. */
export const MAX_MESSAGES = 1_000;

/** `at` is in milliseconds on the server's clock; `to` is canonical. */
export type StoredMessage = { id: number; to: string; text: string; code: string; at: number };

export type Messages = ReturnType<typeof openMessages>;

export function openMessages(db: Database) {
  const columns = 'id, value AS "to", text, code, sent_at AS at';
  const add = db.prepare<[string, string, string, string, number]>(
    'INSERT INTO messages (kind, value, text, code, sent_at) VALUES (?, ?, ?, ?, ?)',
  );
  const evict = db.prepare<[number]>('DELETE FROM messages WHERE id <= ?');
  const all = db.prepare<[number], StoredMessage>(`SELECT ${columns} FROM messages WHERE id > ? ORDER BY id DESC`);
  const ofOne = db.prepare<[string, string, number], StoredMessage>(
    `SELECT ${columns} FROM messages WHERE kind = ? AND value = ? AND id > ? ORDER BY id DESC`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM messages WHERE kind = ? AND value = ?');

  return {
    add({ kind, value }: Attribute, text: string, code: string, at: number): void {
      const { lastInsertRowid } = add.run(kind, value, text, code, at);
      evict.run(Number(lastInsertRowid) - MAX_MESSAGES);
    },
    /** The messages to one recipient, or to all, sent after the message `after`, newest first. */
    list: (to: Attribute | undefined, after = 0): StoredMessage[] =>
      to ? ofOne.all(to.kind, to.value, after) : all.all(after),
    remove: ({ kind, value }: { kind: string; value: string }): void => void remove.run(kind, value),
  };
}
