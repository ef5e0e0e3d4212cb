/**
 * The store on SQLite. Reads answer at once. Writes go through the group writer, each with its audit entry.
 */
import type { Database } from 'better-sqlite3';
import type { Reason } from '#protocol/errors.ts';
import { lengthOf } from '../database-length.ts';
import { readTransaction } from '../read-transaction.ts';
import type { AuditAction } from './audit.ts';
import { checkpointerFor } from './checkpointer.ts';
import { GroupWriter } from './group-writer.ts';
import { mayOpen, refusalOf } from './rules.ts';
import { migrate } from './schema.ts';
import { sqliteAudit } from './sqlite-audit.ts';
import { type ExchangeRow, prepareStatements, type SessionRow } from './sqlite-statements.ts';
import {
  type Attempt,
  FAILED_MATCHES_PER_HOUR,
  FAILURE_WINDOW_MS,
  type LinkOutcome,
  type LinkRequest,
  type NewExchangeToken,
  type NewSession,
  type SaveExchangeTokenOutcome,
  type SaveSessionOutcome,
  type Store,
  type StoreOptions,
} from './store.ts';

/** Open the store in `db`, and create or upgrade its tables. Closing the store closes `db`. */
export function sqliteStore(db: Database, options: StoreOptions = { audit: true }): Store {
  const { audit: isAudited, checkFile, onCommit, failedMatchesPerHour: perHour = FAILED_MATCHES_PER_HOUR } = options;
  migrate(db);
  const sql = prepareStatements(db);
  const audit = sqliteAudit(db, isAudited);
  const beginReads = readTransaction(db);
  const checkpointer = checkpointerFor(db);
  const writer = new GroupWriter(db, {
    checkFile,
    onCommit(size) {
      checkpointer.wrote(size);
      onCommit?.(size);
    },
  });

  /** Whether a link was removed, with the signature on it. */
  let hasRemoved = false;

  /** The link of a session; undefined once the session has ended. */
  const linkOf = ({ link }: SessionRow) => sql.linkOfSession.get(link);
  const holderOf = (session: SessionRow) => linkOf(session)?.user;

  // The usual change is tried first. Only if it changes nothing, the reason is looked up.

  /** Store or record a session. `link` is the link of its user. */
  function saveSession(session: NewSession, link: number, now: number, mayRecord: boolean): SaveSessionOutcome {
    if (sql.putSession.run(...columnsOf(session, link, now)).changes === 1) return { id: session.recordId };
    const stored = sql.session.get(session.tokenHash);
    const recordable = mayRecord && stored && !stored.recorded && stored.link === link && now < stored.expires_at;
    if (!recordable) return { refused: 'token_already_stored' };
    sql.recordSession.run(session.tokenHash);
    return { id: stored.record_id };
  }

  function saveExchangeToken(token: NewExchangeToken, now: number): SaveExchangeTokenOutcome {
    const { hash, expiresAt, recordId, session } = token;
    const { user, tokenHash, lifetime, created } = session;
    const stored = sql.session.get(tokenHash);
    if (!stored || mayOpen(holderOf(stored), stored.expires_at, user, now)) {
      const columns = [hash, recordId, user, tokenHash, lifetime, created ?? null, expiresAt] as const;
      const put = sql.putExchangeToken.run(...columns, user, tokenHash);
      if (put.changes === 1) return { id: recordId };
    }
    return { refused: sql.hasExchangeToken.get(hash) ? 'exchange_token_already_stored' : 'token_already_stored' };
  }

  const tokenOf = ({ exchangeToken: hash, phone, now }: Attempt) =>
    sql.exchangeToken.get({ hash, phone: phone ?? null, since: now - FAILURE_WINDOW_MS });

  function fail({ exchangeToken, phone, now }: Attempt, user: string): void {
    sql.countFailure.run(exchangeToken);
    sql.putFailure.run(user, phone ?? null, now);
  }

  /** Link the user of `token`, which can be used now. */
  function link(token: ExchangeRow, request: LinkRequest): LinkOutcome {
    const { exchangeToken, patientId, newUserSign, recordId, now } = request;
    const session = sql.session.get(token.session_hash);
    const holder = session && holderOf(session);
    if (session && !mayOpen(holder, session.expires_at, token.user, now)) return { refused: 'token_already_stored' };
    const known = sql.linkOfUser.get(token.user);
    if (known ? known.patientId !== patientId : sql.linkOfPatient.get(patientId)) {
      fail(request, token.user);
      return { refused: known ? 'patient_already_matched' : 'patient_already_linked' };
    }
    const userSign = known?.userSign ?? newUserSign;
    const linkId = known?.id ?? Number(sql.putLink.run(token.user, patientId, userSign).lastInsertRowid);
    if (holder === undefined) {
      const { session_hash: tokenHash, session_lifetime: lifetime, session_created: created } = token;
      sql.openSession.run(...columnsOf({ tokenHash, lifetime, created: created ?? undefined, recordId }, linkId, now));
    }
    sql.useExchangeToken.run(exchangeToken);
    return { userSign };
  }

  /** Record an attempt and its outcome, in the transaction of the change. */
  function record(at: number, action: AuditAction, user: string, patientId: string | null, outcome: object): void {
    audit.add({ at, action, user, patientId, outcome: 'refused' in outcome ? (outcome.refused as Reason) : 'ok' });
  }

  return {
    findSession(tokenHash) {
      beginReads();
      const row = sql.session.get(tokenHash);
      const standsOn = row && linkOf(row);
      return standsOn && { link: standsOn, expiresAt: row.expires_at };
    },
    findLink(user) {
      beginReads();
      const row = sql.linkOfUser.get(user);
      return row && { user, patientId: row.patientId, userSign: row.userSign };
    },
    refusalOf(attempt) {
      beginReads();
      return refusalOf(tokenOf(attempt), attempt.now, perHour);
    },

    saveSession: (session, userSign, now, mayRecord) =>
      writer.write(() => {
        const signed = sql.linkOfSign.get(session.user, userSign);
        if (!signed) return { refused: 'user_unknown' };
        const outcome = saveSession(session, signed.id, now, mayRecord);
        record(now, 'embedded_storage.save_auth_info', session.user, signed.patientId, outcome);
        return outcome;
      }),

    saveExchangeToken: (token, now) =>
      writer.write(() => {
        const outcome = saveExchangeToken(token, now);
        record(now, 'embedded_storage.save_exchange_token', token.session.user, null, outcome);
        return outcome;
      }),

    link: (request) =>
      writer.write(() => {
        const { now, patientId } = request;
        const token = tokenOf(request);
        const refused = refusalOf(token, now, perHour);
        if (refused || !token) return { refused: refused ?? 'exchange_token_unknown' };
        const outcome = link(token, request);
        record(now, 'embedded_storage.authenticate', token.user, patientId, outcome);
        return outcome;
      }),

    countFailure: (attempt) =>
      writer.write(() => {
        const token = tokenOf(attempt);
        const refused = refusalOf(token, attempt.now, perHour);
        if (refused || !token) return refused ?? 'exchange_token_unknown';
        fail(attempt, token.user);
        record(attempt.now, 'embedded_storage.authenticate', token.user, null, { refused: 'patient_not_matched' });
        return undefined;
      }),

    removeSession: (tokenHash, user, now) =>
      writer.write(() => {
        if (sql.endSession.run(now, tokenHash, user).changes === 0) return false;
        sql.endTokensOfSession.run(user, tokenHash);
        record(now, 'embedded_storage.remove_auth_info', user, null, {});
        return true;
      }),

    removeUser: (tokenHash, user, now) =>
      writer.write(() => {
        const session = sql.session.get(tokenHash);
        const standsOn = session && linkOf(session);
        if (standsOn?.user !== user) return false;
        record(now, 'embedded_storage.remove_authentication', user, standsOn.patientId, {});
        // Removing the link ends all sessions that belong to it.
        sql.removeLink.run(user);
        sql.endTokensOfUser.run(user);
        hasRemoved = true;
        return true;
      }),

    recordAccess(user, patientId, now) {
      if (!isAudited) return;
      return writer.write(() => record(now, 'patient.get_patient', user, patientId, {}), false);
    },
    readAudit: (query) => audit.read(query),

    purge: (before, limit) =>
      writer.write(
        () => sql.purgeSessions.run(before, limit).changes + sql.purgeExchangeTokens.run(before, limit).changes,
      ),
    purgeFailures: (before, limit) => writer.write(() => sql.purgeFailures.run(before, limit).changes),
    purgeAudit: (before, limit) => writer.write(() => audit.purge(before, limit)),

    check() {
      checkFile?.();
      sql.probe.get();
      if (writer.locked) throw writer.locked;
      // This changes nothing, but does all that a change does, except waiting for the disk.
      return writer.write(() => void sql.tryWriting.run(), false);
    },
    async close() {
      await writer.settled();
      await checkpointer.stop();
      if (hasRemoved && db.open) eraseRemoved(db);
      db.close();
    },
  };
}

const columnsOf = ({ tokenHash, recordId, lifetime, created }: Omit<NewSession, 'user'>, link: number, now: number) =>
  [tokenHash, recordId, link, now, now + lifetime, created ?? null] as const;

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
