/** The six methods by hand, on the EHR server's own statements, for the peers: what is left when nothing is checked that the data itself does not need. */
import { hash, randomBytes } from 'node:crypto';
import { matchQuery } from '#ehr-server/match-patient.ts';
import { openPopulation, openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import { readTransaction } from '#ehr-server/read-transaction.ts';
import type { AuditAction } from '#ehr-server/store/audit.ts';
import { openDatabase } from '#ehr-server/store/open-database.ts';
import { migrate } from '#ehr-server/store/schema.ts';
import { sqliteAudit } from '#ehr-server/store/sqlite-audit.ts';
import { type ExchangeRow, prepareStatements } from '#ehr-server/store/sqlite-statements.ts';
import type { PatientProperties } from '#protocol/fields.ts';
import { INTERNAL_PASSWORD } from '../../data/identities.ts';
import { writerOf } from './commit.ts';
import type { PeerOptions } from './options.ts';

/** A call as it came, with what the peer's own parser made of it. */
export type Call = { id: number; method: string; params: Params; cred: { user: string; token: string } };

type AuthInfo = { user: string; token: string; ttl: number };
type Params = { authInfo: AuthInfo; exchangeToken: string; patientProperties: PatientProperties };

/** `record` is the patient as JSON text, as it is stored. */
export type Outcome =
  | { record: string; userSign: string }
  | { result: Record<string, unknown> }
  | { error: { code: number; message: string } };

export type Work = (call: Call, done: (outcome: Outcome) => void) => void;

const MINUTE = 60_000;
const REFUSED: Outcome = { error: { code: -33000, message: 'refused' } };
const UNKNOWN: Outcome = { error: { code: -32601, message: 'This server has no such method.' } };
const REQUIRED = ['name', 'surname', 'date', 'phone'] as const;

/** Opens the databases as the EHR server does. */
export function openWork(options: PeerOptions): Work {
  const db = openDatabase(options.database);
  migrate(db);
  const sql = prepareStatements(db);
  const audit = sqliteAudit(db, options.audit);
  const write = writerOf(db, options.commit);
  const population = openPopulation(options.misDatabase);
  const mis = openSqliteMis(population);
  const readRecord = population.prepare<[string], string>('SELECT record FROM patient WHERE id = ?').pluck();
  const [beginReadsOfStore, beginReadsOfPopulation] = [readTransaction(db), readTransaction(population)];
  /** Whoever commits by the turn reads by the turn as well; the others have a transaction for each. */
  const beginReads = () => {
    if (options.commit === 'call') return;
    beginReadsOfStore();
    beginReadsOfPopulation();
  };

  const note = (action: AuditAction, user: string, patientId: string | null) =>
    audit.add({ at: Date.now(), action, user, patientId, outcome: 'ok' });
  const sessionOf = ({ cred }: Call) => {
    beginReads();
    const tokenHash = hash('sha256', cred.token, 'buffer');
    const row = sql.session.get(tokenHash);
    const link = row && sql.linkOfSession.get(row.link);
    const holds = row && link && link.user === cred.user && Date.now() < row.expires_at;
    return holds ? { tokenHash, ...link } : undefined;
  };
  const isSigned = ({ cred }: Call, secret: string) => cred.token === hash('sha1', INTERNAL_PASSWORD + secret, 'hex');

  const methods: Readonly<Record<string, Work>> = {
    'patient.get_patient'(call, done) {
      const link = sessionOf(call);
      const record = link && readRecord.get(link.patientId);
      if (!record) return done(REFUSED);
      const outcome = { record, userSign: link.userSign };
      if (!options.audit) return done(outcome);
      write(
        () => note('patient.get_patient', link.user, link.patientId),
        false,
        () => done(outcome),
      );
    },
    'embedded_storage.save_auth_info'(call, done) {
      const { user, token, ttl } = call.params.authInfo;
      beginReads();
      const link = sql.linkOfUser.get(user);
      if (!link || !isSigned(call, link.userSign)) return done(REFUSED);
      const tokenHash = hash('sha256', token, 'buffer');
      const save = (): Outcome => {
        const signed = sql.linkOfSign.get(user, link.userSign);
        const now = Date.now();
        const id = newId();
        if (!signed || sql.putSession.run(tokenHash, id, signed.id, now, now + ttl * MINUTE, null).changes === 0)
          return REFUSED;
        note('embedded_storage.save_auth_info', user, signed.patientId);
        return { result: { id } };
      };
      write(save, true, done);
    },
    'embedded_storage.save_exchange_token'(call, done) {
      const { exchangeToken, authInfo } = call.params;
      if (!isSigned(call, exchangeToken)) return done(REFUSED);
      const tokenHash = hash('sha256', exchangeToken, 'buffer');
      const sessionHash = hash('sha256', authInfo.token, 'buffer');
      const save = (): Outcome => {
        if (sql.session.get(sessionHash)) return REFUSED;
        const id = newId();
        const until = Date.now() + 10 * MINUTE;
        const put = [tokenHash, id, authInfo.user, sessionHash, authInfo.ttl * MINUTE, null, until] as const;
        if (sql.putExchangeToken.run(...put, authInfo.user, sessionHash).changes === 0) return REFUSED;
        note('embedded_storage.save_exchange_token', authInfo.user, null);
        return { result: { id } };
      };
      write(save, true, done);
    },
    'embedded_storage.authenticate'({ params }, done) {
      const tokenHash = hash('sha256', params.exchangeToken, 'buffer');
      const usable = () => {
        const row = sql.exchangeToken.get({ hash: tokenHash, phone: null, since: 0 });
        return row && !row.used && Date.now() < row.expires_at ? row : undefined;
      };
      const [patientId, another] = usable() ? mis.match(matchQuery(params, [...REQUIRED])) : [];
      if (patientId === undefined || another !== undefined) return done(REFUSED);
      const link = (): Outcome => {
        const token = usable();
        const known = token && sql.linkOfUser.get(token.user);
        if (known?.patientId !== patientId || sql.session.get(token?.session_hash as Buffer)) return REFUSED;
        const now = Date.now();
        const { session_hash: sessionHash, session_lifetime: lifetime } = token as ExchangeRow;
        sql.openSession.run(sessionHash, newId(), known.id, now, now + lifetime, null);
        sql.useExchangeToken.run(tokenHash);
        note('embedded_storage.authenticate', known.user, patientId);
        return { record: readRecord.get(patientId) as string, userSign: known.userSign };
      };
      write(link, true, done);
    },
    'embedded_storage.remove_auth_info'(call, done) {
      const session = sessionOf(call);
      if (!session) return done(REFUSED);
      const remove = (): Outcome => {
        if (sql.endSession.run(Date.now(), session.tokenHash, session.user).changes === 0) return REFUSED;
        note('embedded_storage.remove_auth_info', session.user, null);
        return { result: {} };
      };
      write(remove, true, done);
    },
    'embedded_storage.remove_authentication'(call, done) {
      const session = sessionOf(call);
      if (!session) return done(REFUSED);
      const remove = (): Outcome => {
        const row = sql.session.get(session.tokenHash);
        const link = row && sql.linkOfSession.get(row.link);
        if (link?.user !== session.user) return REFUSED;
        note('embedded_storage.remove_authentication', session.user, link.patientId);
        sql.removeLink.run(session.user);
        return { result: {} };
      };
      write(remove, true, done);
    },
  };
  return (call, done) => (methods[call.method] ?? ((_call, answer) => answer(UNKNOWN)))(call, done);
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}
