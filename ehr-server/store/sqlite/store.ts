/** The store on SQLite. Reads answer at once. Writes go through the group writer, with an audit entry. */
import type { Database } from 'better-sqlite3';
import { DEFAULT_FAILED_MATCHES_PER_HOUR } from '#protocol/limits.ts';
import { type DatabaseFile, lengthOf } from '#service/database-file.ts';
import { rowKeeper } from '#service/sqlite-rows.ts';
import { readTransactions } from '../../database/read-transaction.ts';
import { entryOf } from '../audit.ts';
import { refusalOf } from '../rules.ts';
import type { Contents, Store, StoreOptions } from '../store.ts';
import { type SqliteAudit, sqliteAudit } from './audit.ts';
import { countFailedMatch, link, linkOf, saveExchangeToken, saveSession, tokenOf } from './changes.ts';
import { checkpointerFor } from './checkpointer.ts';
import { GroupWriter, NO_FLUSH } from './group-writer.ts';
import { migrate } from './schema.ts';
import { prepareStatements, type Statements } from './statements.ts';

type Parts = {
  sql: Statements;
  audit: SqliteAudit;
  writer: GroupWriter;
  /** The most failed matches of a user, and of a phone, within an hour. */
  perHour: number;
};

type SqliteOptions = StoreOptions & {
  /** Watches the file of the database. Absent: there is none, or nobody else can reach it. */
  place?: DatabaseFile;
};

/** The tables of a snapshot, each after those that it refers to. The audit is a record of what happened. */
const KEPT_TABLES = ['links', 'sessions', 'exchange_tokens', 'failed_matches'];

/** Open the store in `db`, and create or upgrade its tables. Closing the store closes `db`. */
export function sqliteStore(db: Database, options: SqliteOptions = { audit: true }): Store {
  const { audit: isAudited, place } = options;
  const perHour = options.failedMatchesPerHour ?? DEFAULT_FAILED_MATCHES_PER_HOUR;
  migrate(db);
  const sql = prepareStatements(db);
  const audit = sqliteAudit(db, isAudited);
  const reads = readTransactions(db);
  const { writer, checkpointer } = openWriter(db, reads.end, options);
  const rows = rowKeeper(db, KEPT_TABLES);
  const parts: Parts = { sql, audit, writer, perHour };
  /** Whether a link was removed, with the signature on it. */
  let hasRemoved = false;
  return {
    ...readsOf(parts, reads.begin),
    ...sessionChangesOf(parts),
    ...linkChangesOf(parts, () => {
      hasRemoved = true;
    }),
    recordAccess(user, patientId, now) {
      if (!isAudited) return;
      const entry = entryOf(now, 'patient.get_patient', user, patientId, {});
      return writer.write(() => audit.add(entry), NO_FLUSH);
    },
    readAudit: audit.read,
    auditRange: audit.range,
    contents: (limit) => readContents(db, limit),
    async keep() {
      await writer.settled();
      const restore = rows.keep();
      return () => writer.write(restore);
    },
    clear: () => writer.write(() => rows.clear()),
    endReads: reads.end,
    ...purgesOf(parts),
    check() {
      place?.check();
      sql.probe.get();
      if (writer.locked) throw writer.locked;
      // This changes nothing, but does all that a change does, except waiting for the disk.
      return writer.write(() => void sql.tryWriting.run(), NO_FLUSH);
    },
    async close() {
      await writer.settled();
      await checkpointer.stop();
      if (!place) db.close();
      else place.close(db, () => hasRemoved && eraseRemoved(db));
    },
  };
}

/** Opens the writer of groups, with the checkpoints of the log that it fills. */
function openWriter(db: Database, endOwnReads: () => void, options: SqliteOptions) {
  const { place, onCommit, endOtherReads } = options;
  const endReads = () => {
    endOwnReads();
    endOtherReads?.();
  };
  const prepareCheckpoint = () => {
    place?.check();
    endReads();
  };
  const checkpointer = checkpointerFor(db, prepareCheckpoint);
  const writer = new GroupWriter(db, {
    checkFile: place?.check,
    endReads,
    onCommit(size) {
      checkpointer.wrote(size);
      onCommit?.(size);
    },
  });
  return { writer, checkpointer };
}

function purgesOf({ sql, audit, writer }: Parts): Pick<Store, 'purge' | 'purgeFailures' | 'purgeAudit'> {
  return {
    purge: (before, limit) =>
      writer.write(
        () =>
          sql.purgeSessions.run(before, limit).changes + sql.purgeExchangeTokens.run(before, limit).changes,
      ),
    purgeFailures: (before, limit) => writer.write(() => sql.purgeFailures.run(before, limit).changes),
    purgeAudit: (before, limit) => writer.write(() => audit.purge(before, limit)),
  };
}

type Reads = Pick<Store, 'findSession' | 'findLink' | 'refusalOf'>;

/** The reads of the store. */
function readsOf({ sql, perHour }: Parts, beginReads: () => void): Reads {
  return {
    findSession(tokenHash) {
      beginReads();
      const row = sql.session.get(tokenHash);
      const sessionLink = row && linkOf(sql, row);
      return sessionLink && { link: sessionLink, expiresAt: row.expires_at };
    },
    findLink(user) {
      beginReads();
      const row = sql.linkOfUser.get(user);
      return row && { user, patientId: row.patientId, userSign: row.userSign };
    },
    refusalOf(attempt) {
      beginReads();
      return refusalOf(tokenOf(sql, attempt), attempt.now, perHour);
    },
  };
}

type SessionChanges = Pick<Store, 'saveSession' | 'saveExchangeToken' | 'removeSession'>;

/** The changes of sessions and exchange tokens. */
function sessionChangesOf({ sql, audit, writer }: Parts): SessionChanges {
  return {
    saveSession: (session, userSign, now, { mayRecord }) =>
      writer.write(() => {
        const signed = sql.linkOfSign.get(session.user, userSign);
        if (!signed) return { refused: 'user_unknown' };
        const outcome = saveSession(sql, session, signed.id, now, mayRecord);
        audit.add(entryOf(now, 'embedded_storage.save_auth_info', session.user, signed.patientId, outcome));
        return outcome;
      }),

    saveExchangeToken: (token, now) =>
      writer.write(() => {
        const outcome = saveExchangeToken(sql, token, now);
        audit.add(entryOf(now, 'embedded_storage.save_exchange_token', token.session.user, null, outcome));
        return outcome;
      }),

    removeSession: (tokenHash, user, now) =>
      writer.write(() => {
        if (sql.endSession.run(now, tokenHash, user).changes === 0) return false;
        sql.endTokensOfSession.run(user, tokenHash);
        audit.add(entryOf(now, 'embedded_storage.remove_auth_info', user, null, {}));
        return true;
      }),
  };
}

type LinkChanges = Pick<Store, 'link' | 'countFailure' | 'removeUser'>;

/** The changes of links. `onRemoval` is called when a link was removed. */
function linkChangesOf({ sql, audit, writer, perHour }: Parts, onRemoval: () => void): LinkChanges {
  return {
    link: (request) =>
      writer.write(() => {
        const { now, patientId } = request;
        const token = tokenOf(sql, request);
        const refused = refusalOf(token, now, perHour);
        if (refused || !token) return { refused: refused ?? 'exchange_token_unknown' };
        const outcome = link(sql, token, request);
        audit.add(entryOf(now, 'embedded_storage.authenticate', token.user, patientId, outcome));
        return outcome;
      }),

    countFailure: (attempt) =>
      writer.write(() => {
        const token = tokenOf(sql, attempt);
        const refused = refusalOf(token, attempt.now, perHour);
        if (refused || !token) return refused ?? 'exchange_token_unknown';
        countFailedMatch(sql, attempt, token.user);
        const outcome = { refused: 'patient_not_matched' };
        audit.add(entryOf(attempt.now, 'embedded_storage.authenticate', token.user, null, outcome));
        return undefined;
      }),

    removeUser: (tokenHash, user, now) =>
      writer.write(() => {
        const session = sql.session.get(tokenHash);
        const sessionLink = session && linkOf(sql, session);
        if (sessionLink?.user !== user) return false;
        audit.add(entryOf(now, 'embedded_storage.remove_authentication', user, sessionLink.patientId, {}));
        // Removing the link ends all sessions that belong to it.
        sql.removeLink.run(user);
        sql.endTokensOfUser.run(user);
        onRemoval();
        return true;
      }),
  };
}

/** The largest file that is rewritten at a stop. Rewriting it takes about half a second. */
const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * Rewrite the file. Deleted content was overwritten at once, but a page that SQLite rearranged earlier may
 * hold a copy of it. Rewriting a larger file would delay the stop, so a copy may stay there (note 26).
 */
function eraseRemoved(db: Database): void {
  if (lengthOf(db) > MAX_REWRITTEN_BYTES) return;
  try {
    db.exec('VACUUM');
  } catch {
    // There is no space, or another process is reading. The database is intact and stays as it is.
  }
}

/** Read at most `limit` rows of each kind. */
function readContents(db: Database, limit: number): Contents {
  const all = <Row>(sql: string) => db.prepare<[number], Row>(sql).all(limit);
  return {
    sessions: all(
      `SELECT token_hash AS tokenHash, user, patient_id AS patientId, expires_at AS expiresAt
       FROM sessions JOIN links ON links.id = sessions.link ORDER BY expires_at DESC, token_hash LIMIT ?`,
    ),
    exchangeTokens: all(
      `SELECT hash, user, expires_at AS expiresAt, failures
       FROM exchange_tokens WHERE used = 0 ORDER BY expires_at DESC, hash LIMIT ?`,
    ),
    links: all('SELECT user, patient_id AS patientId FROM links ORDER BY user LIMIT ?'),
  };
}
