/** Everything the authorization server remembers, on SQLite. Each change is on the disk when its call returns. */
import type { Database } from 'better-sqlite3';
import { type Codes, openCodes } from './codes.ts';
import { type Directory, openDirectory } from './directory.ts';
import { type Messages, openMessages } from './messages.ts';
import { openDatabase } from './open-database.ts';
import { openSessions, type Sessions } from './sessions.ts';

export type Store = {
  directory: Directory;
  codes: Codes;
  sessions: Sessions;
  messages: Messages;
  /** Runs `change` as one transaction: all of it is on the disk when this returns, or none of it when it throws. */
  atomically<T>(change: () => T): T;
  /** Removes a user and everything that is his: entry, sessions, pending code, messages. */
  deleteUser(user: string): void;
  /** Throws when the database cannot answer. */
  check(): void;
  close(): void;
};

/**
 * Opens the store in `file`, or in memory for `:memory:`.
 * @throws Error naming the file, what is wrong and the remedy
 */
export function openStore(file: string): Store {
  const db: Database = openDatabase(file);
  const directory = openDirectory(db);
  const codes = openCodes(db);
  const sessions = openSessions(db);
  const messages = openMessages(db);
  const probe = db.prepare('SELECT 1 FROM users LIMIT 1');
  const atomically = <T>(change: () => T): T => db.transaction(change).immediate();
  return {
    directory,
    codes,
    sessions,
    messages,
    atomically,
    deleteUser: (user) =>
      atomically(() => {
        const identity = directory.identityOf(user);
        if (!identity) return;
        codes.remove(identity);
        messages.remove(identity);
        directory.removeUser(user);
      }),
    check: () => void probe.get(),
    close: () => void db.close(),
  };
}
