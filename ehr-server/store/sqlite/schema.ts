/** The tables of the SQLite store, and the upgrade of older files. */
import type { Database } from 'better-sqlite3';
import { OpenError } from '#service/sqlite.ts';

/** One step for each version, never edited once released. `user_version` counts those a file has seen. */
export const steps: readonly string[] = [
  `
  CREATE TABLE sessions (
    token_hash BLOB PRIMARY KEY,
    record_id TEXT NOT NULL,
    user TEXT NOT NULL,            -- empty once ended: the session's data is deleted, its token stays spent
    stored_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    created TEXT,
    recorded INTEGER NOT NULL,     -- 0 while only authenticate has stored it
    ended INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_user ON sessions (user) WHERE ended = 0;
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);

  CREATE TABLE exchange_tokens (
    hash BLOB PRIMARY KEY,
    record_id TEXT NOT NULL,
    user TEXT NOT NULL,
    session_hash BLOB NOT NULL,
    session_lifetime INTEGER NOT NULL,
    session_created TEXT,
    expires_at INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    used INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX exchange_tokens_by_expiry ON exchange_tokens (expires_at);

  CREATE TABLE links (
    user TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL UNIQUE,
    user_sign TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    user_id TEXT NOT NULL,
    patient_id TEXT,
    outcome TEXT NOT NULL
  ) STRICT;
  -- Entries may be deleted once they are older than this, and never changed.
  CREATE TABLE audit_horizon (before INTEGER NOT NULL) STRICT;
  INSERT INTO audit_horizon (before) VALUES (0);
  CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'audit entries are never changed'); END;
  CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit WHEN OLD.at >= (SELECT before FROM audit_horizon)
  BEGIN SELECT RAISE(ABORT, 'audit entries are kept until their retention is over'); END;
  `,
  // A session belongs to its link and ends with it (decision note 25).
  `
  CREATE TABLE links_with_id (
    id INTEGER PRIMARY KEY AUTOINCREMENT,   -- never used again: sessions of a link that is gone must find none
    user TEXT NOT NULL UNIQUE,
    patient_id TEXT NOT NULL UNIQUE,
    user_sign TEXT NOT NULL
  ) STRICT;
  INSERT INTO links_with_id (user, patient_id, user_sign) SELECT user, patient_id, user_sign FROM links ORDER BY user;
  CREATE TABLE sessions_of_links (
    token_hash BLOB PRIMARY KEY,
    record_id TEXT NOT NULL,
    link INTEGER,                  -- empty once it was logged out: the session's data is deleted, its token stays spent
    stored_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    created TEXT,
    recorded INTEGER NOT NULL      -- 0 while only authenticate has stored it
  ) STRICT, WITHOUT ROWID;
  INSERT INTO sessions_of_links (token_hash, record_id, link, stored_at, expires_at, created, recorded)
    SELECT token_hash, record_id, links_with_id.id, stored_at, expires_at, created, recorded
    FROM sessions LEFT JOIN links_with_id ON links_with_id.user = sessions.user ORDER BY token_hash;
  DROP TABLE sessions;
  DROP TABLE links;
  ALTER TABLE links_with_id RENAME TO links;
  ALTER TABLE sessions_of_links RENAME TO sessions;
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);
  `,
  `
  ALTER TABLE exchange_tokens ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;   -- order within the session
  CREATE INDEX exchange_tokens_by_session ON exchange_tokens (user, session_hash, seq);

  CREATE TABLE failed_matches (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    phone BLOB,                    -- keyed hash of the phone that was sent; null when none was
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX failed_matches_by_user ON failed_matches (user, at);
  CREATE INDEX failed_matches_by_phone ON failed_matches (phone, at);
  `,
  // INSERT OR REPLACE deletes the existing row without running the triggers on deleting.
  `
  CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'audit entries are never changed'); END;
  `,
  // Rows in the order of saving: a save was measured a tenth faster than among rows in the order of hashes.
  `
  CREATE TABLE exchange_tokens_in_order (
    id INTEGER PRIMARY KEY,        -- of two tokens of a session, the newer one has the higher
    hash BLOB NOT NULL UNIQUE,
    record_id TEXT NOT NULL,
    user TEXT NOT NULL,
    session_hash BLOB NOT NULL,
    session_lifetime INTEGER NOT NULL,
    session_created TEXT,
    expires_at INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    used INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO exchange_tokens_in_order
    (hash, record_id, user, session_hash, session_lifetime, session_created, expires_at, failures, used)
    SELECT hash, record_id, user, session_hash, session_lifetime, session_created, expires_at, failures, used
    FROM exchange_tokens ORDER BY user, session_hash, seq;
  DROP TABLE exchange_tokens;
  ALTER TABLE exchange_tokens_in_order RENAME TO exchange_tokens;
  CREATE INDEX exchange_tokens_by_expiry ON exchange_tokens (expires_at);
  CREATE INDEX exchange_tokens_by_session ON exchange_tokens (user, session_hash);   -- of a session, by id
  `,
];

/** The newest version of the tables: the highest `user_version` of a file. */
export const SCHEMA_VERSION = steps.length;

/** Upgrade the file in one transaction, so that two processes starting at once do it once. */
export function migrate(db: Database): void {
  const upgrade = db.transaction(() => {
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > steps.length) {
      throw new OpenError(
        `Failed to open ${db.name}: it was written by a newer version of this program (schema ${version}, known is ${steps.length}). Please update, or name another file with --database.`,
      );
    }
    for (const step of steps.slice(version)) db.exec(step);
    db.pragma(`user_version = ${steps.length}`);
  });
  upgrade.immediate();
}
