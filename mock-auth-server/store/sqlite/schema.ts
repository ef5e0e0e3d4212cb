/** The tables of the authorization server, and the upgrade of older files. */
import type { Database } from 'better-sqlite3';

/** One step for each version, never edited once released. `user_version` counts those a file has seen. */
const steps: readonly string[] = [
  `
  CREATE TABLE users (
    user TEXT PRIMARY KEY,         -- the public user id, as in authInfo.user
    kind TEXT NOT NULL CHECK (kind IN ('phone', 'email', 'login')),
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (kind, value)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE correspondence (
    user TEXT PRIMARY KEY REFERENCES users (user) ON DELETE CASCADE,
    internal_id TEXT NOT NULL UNIQUE,
    user_sign TEXT                 -- null until the EHR server has linked the user
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    token_hash BLOB PRIMARY KEY,
    user TEXT NOT NULL REFERENCES users (user) ON DELETE CASCADE,
    internal_id TEXT,              -- of the correspondence entry at sign-in; null when there was none
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_user ON sessions (user);
  CREATE INDEX sessions_by_end ON sessions (coalesce(ended_at, expires_at));

  CREATE TABLE codes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    sent_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, value)
  ) STRICT;
  CREATE INDEX codes_by_expiry ON codes (expires_at);

  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    text TEXT NOT NULL,
    code TEXT NOT NULL,
    sent_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_recipient ON messages (kind, value);
  `,
  `
  CREATE TABLE sendings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient BLOB NOT NULL,       -- keyed hash of the phone or e-mail address: it outlives the user
    sent_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sendings_by_recipient ON sendings (recipient, sent_at);
  `,
];

export const SCHEMA_VERSION = steps.length;

/** Brings a file to the newest version. One of a later version was refused before. */
export function migrate(db: Database): void {
  const upgrade = db.transaction(() => {
    const version = db.pragma('user_version', { simple: true }) as number;
    for (const step of steps.slice(version)) db.exec(step);
    db.pragma(`user_version = ${steps.length}`);
  });
  upgrade.immediate();
}
