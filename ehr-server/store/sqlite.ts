/** The store on SQLite. Reads answer at once; writes go through the group writer, each with its entry in the audit. */
import type { Database } from 'better-sqlite3';
import type { Reason } from '#protocol/errors.ts';
import { turnReads } from '../turn-reads.ts';
import type { AuditAction } from './audit.ts';
import { checkpointerFor } from './checkpointer.ts';
import { GroupWriter } from './group-writer.ts';
import { mayOpen, refusalOf } from './rules.ts';
import { migrate } from './schema.ts';
import { sqliteAudit } from './sqlite-audit.ts';
import { type ExchangeRow, prepareStatements, type SessionRow } from './sqlite-statements.ts';
import type {
  LinkOutcome,
  LinkRequest,
  NewExchangeToken,
  NewSession,
  SaveExchangeTokenOutcome,
  SaveSessionOutcome,
  Store,
  StoreOptions,
} from './store.ts';

/** Opens the store in `db`, creating or upgrading its tables. Closing the store closes `db`. */
export function sqliteStore(db: Database, { audit: isAudited, committed }: StoreOptions = { audit: true }): Store {
  migrate(db);
  const sql = prepareStatements(db);
  const audit = sqliteAudit(db, isAudited);
  const beginReads = turnReads(db);
  const checkpointer = checkpointerFor(db);
  const writer = new GroupWriter(db, {
    committed(size) {
      checkpointer.wrote(size);
      committed?.(size);
    },
  });

  /** None once the session has ended. */
  const linkOf = ({ link }: SessionRow) => sql.linkOfSession.get(link);
  const holderOf = (session: SessionRow) => linkOf(session)?.user;

  // What is tried first is what nearly every call comes to; only where that changes nothing is it looked up why.

  /** `link` is that of the session's user. */
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
      const put = sql.putExchangeToken.run(hash, recordId, user, tokenHash, lifetime, created ?? null, expiresAt);
      if (put.changes === 1) return { id: recordId };
    }
    return { refused: sql.exchangeToken.get(hash) ? 'exchange_token_already_stored' : 'token_already_stored' };
  }

  /** `token` can be used now. */
  function link(
    token: ExchangeRow,
    { exchangeToken, patientId, newUserSign, recordId, now }: LinkRequest,
  ): LinkOutcome {
    const session = sql.session.get(token.session_hash);
    const holder = session && holderOf(session);
    if (session && !mayOpen(holder, session.expires_at, token.user, now)) return { refused: 'token_already_stored' };
    const known = sql.linkOfUser.get(token.user);
    if (known ? known.patientId !== patientId : sql.linkOfPatient.get(patientId)) {
      sql.countFailure.run(exchangeToken);
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

  /** Records what was tried and how it ended, in the transaction of the change. */
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
    refusalOf(hash, now) {
      beginReads();
      return refusalOf(sql.exchangeToken.get(hash), now);
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
        const token = sql.exchangeToken.get(request.exchangeToken);
        const refused = refusalOf(token, now);
        if (refused || !token) return { refused: refused ?? 'exchange_token_unknown' };
        const outcome = link(token, request);
        record(now, 'embedded_storage.authenticate', token.user, patientId, outcome);
        return outcome;
      }),

    countFailure: (hash, now) =>
      writer.write(() => {
        const token = sql.exchangeToken.get(hash);
        const refused = refusalOf(token, now);
        if (refused || !token) return refused ?? 'exchange_token_unknown';
        sql.countFailure.run(hash);
        record(now, 'embedded_storage.authenticate', token.user, null, { refused: 'patient_not_matched' });
        return undefined;
      }),

    removeSession: (tokenHash, user, now) =>
      writer.write(() => {
        if (sql.endSession.run(now, tokenHash, user).changes === 0) return false;
        record(now, 'embedded_storage.remove_auth_info', user, null, {});
        return true;
      }),

    removeUser: (tokenHash, user, now) =>
      writer.write(() => {
        const session = sql.session.get(tokenHash);
        const standsOn = session && linkOf(session);
        if (standsOn?.user !== user) return false;
        record(now, 'embedded_storage.remove_authentication', user, standsOn.patientId, {});
        // With the link all sessions that stand on it have ended.
        sql.removeLink.run(user);
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
    purgeAudit: (before, limit) => writer.write(() => audit.purge(before, limit)),

    check() {
      sql.probe.get();
      if (writer.locked) throw writer.locked;
      // Changes nothing, and takes all the ways of a change but the wait for the disk.
      return writer.write(() => void sql.tryWriting.run(), false);
    },
    async close() {
      await writer.settled();
      await checkpointer.stop();
      db.close();
    },
  };
}

const columnsOf = ({ tokenHash, recordId, lifetime, created }: Omit<NewSession, 'user'>, link: number, now: number) =>
  [tokenHash, recordId, link, now, now + lifetime, created ?? null] as const;
