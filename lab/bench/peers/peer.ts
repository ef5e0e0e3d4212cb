/**
 * What every peer does besides its HTTP: the measured methods by hand, on the EHR server's own statements, with
 * the checks that the data needs. It commits each call, or those of a tick together; a durable group takes those
 * of the next ticks, too.
 */

import { hash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { parseArgs } from 'node:util';
import type { Database } from 'better-sqlite3';
import { readTransactions } from '#ehr-server/database/read-transaction.ts';
import { openPopulation } from '#ehr-server/mis/sqlite.ts';
import type { AuditAction } from '#ehr-server/store/audit.ts';
import { sqliteAudit } from '#ehr-server/store/sqlite/audit.ts';
import { checkpointerFor } from '#ehr-server/store/sqlite/checkpointer.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { migrate } from '#ehr-server/store/sqlite/schema.ts';
import { prepareStatements } from '#ehr-server/store/sqlite/statements.ts';
import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import { bind } from '#service/http/listener/ports.ts';
import { INTERNAL_PASSWORD } from '../data/identities.ts';
import type { Commit } from '../plan.ts';
import type { BenchData } from '../servers.ts';

/** Reads its settings from flags, opens the databases, listens, and prints the address of a free port on standard output. */
export function listenAsPeer(handler: RequestListener): Work {
  const {
    database = '',
    'mis-database': population = '',
    commit,
  } = parseArgs({
    options: { database: { type: 'string' }, 'mis-database': { type: 'string' }, commit: { type: 'string' } },
  }).values;
  const work = openWork({ database, population, commit: commit === 'call' ? 'call' : 'turn' });
  const server = createServer({ keepAliveTimeout: 65_000 }, handler);
  void bind(server).then((port) => process.stdout.write(`Ready at http://127.0.0.1:${port}\n`));
  return work;
}

export type PeerCall = { id: number; method: string; params: Params; cred: { user: string; token: string } };

type PeerAuthInfo = { user: string; token: string; ttl: number };
type Params = { authInfo: PeerAuthInfo; exchangeToken: string };

/** `record` is the patient as JSON text, as it is stored. */
export type PeerOutcome =
  | { record: string; userSign: string }
  | { result: Record<string, unknown> }
  | { error: { code: number; message: string } };

type Work = (call: PeerCall, onOutcome: (outcome: PeerOutcome) => void) => void;

const MINUTE_MS = 60_000;
const REFUSED: PeerOutcome = { error: { code: -33000, message: 'refused' } };
const UNKNOWN: PeerOutcome = { error: { code: -32601, message: 'This server has no such method.' } };

type PeerOptions = BenchData & { commit: Commit };

function openWork(options: PeerOptions): Work {
  const tools = openTools(options);
  const methods: Readonly<Record<string, Work>> = {
    'patient.get_patient': getPatient(tools),
    'embedded_storage.save_auth_info': saveAuthInfo(tools),
    'embedded_storage.save_exchange_token': saveExchangeToken(tools),
  };
  return (call, onOutcome) => (methods[call.method] ?? ((_call, answer) => answer(UNKNOWN)))(call, onOutcome);
}

type Tools = ReturnType<typeof openTools>;

function openTools(options: PeerOptions) {
  const db = openDatabase(options.database);
  migrate(db);
  const sql = prepareStatements(db);
  const audit = sqliteAudit(db, true);
  const population = openPopulation(options.population);
  const [readsOfStore, readsOfPopulation] = [readTransactions(db), readTransactions(population)];
  const write = writerOf(db, options.commit, () => {
    readsOfStore.end();
    readsOfPopulation.end();
  });
  const readRecord = population.prepare<[string], string>('SELECT record FROM patient WHERE id = ?').pluck();
  /** A peer that commits by the tick also reads by the tick. The others use a transaction for each call. */
  const beginReads = () => {
    if (options.commit === 'call') return;
    readsOfStore.begin();
    readsOfPopulation.begin();
  };

  const note = (action: AuditAction, user: string, patientId: string | null) =>
    audit.add({ at: Date.now(), action, user, patientId, outcome: 'ok' });
  const sessionOf = ({ cred }: PeerCall) => {
    beginReads();
    const tokenHash = hash('sha256', cred.token, 'buffer');
    const row = sql.session.get(tokenHash);
    const link = row && sql.linkOfSession.get(row.link);
    const holds = row && link && link.user === cred.user && Date.now() < row.expires_at;
    return holds ? { tokenHash, ...link } : undefined;
  };
  const isSigned = ({ cred }: PeerCall, secret: string) =>
    cred.token === hash('sha1', INTERNAL_PASSWORD + secret, 'hex');
  return { sql, write, readRecord, beginReads, note, sessionOf, isSigned };
}

function getPatient({ readRecord, write, note, sessionOf }: Tools): Work {
  return (call, onOutcome) => {
    const link = sessionOf(call);
    const record = link && readRecord.get(link.patientId);
    if (!record) return onOutcome(REFUSED);
    const outcome = { record, userSign: link.userSign };
    const noteRead = () => note('patient.get_patient', link.user, link.patientId);
    write(noteRead, false, () => onOutcome(outcome));
  };
}

function saveAuthInfo({ sql, write, beginReads, note, isSigned }: Tools): Work {
  return (call, onOutcome) => {
    const { user, token, ttl } = call.params.authInfo;
    beginReads();
    const link = sql.linkOfUser.get(user);
    if (!link || !isSigned(call, link.userSign)) return onOutcome(REFUSED);
    const tokenHash = hash('sha256', token, 'buffer');
    const save = (): PeerOutcome => {
      const signed = sql.linkOfSign.get(user, link.userSign);
      if (!signed) return REFUSED;
      const [now, id] = [Date.now(), newId()];
      const put = [tokenHash, id, signed.id, now, now + ttl * MINUTE_MS, null] as const;
      if (sql.putSession.run(...put).changes === 0) return REFUSED;
      note('embedded_storage.save_auth_info', user, signed.patientId);
      return { result: { id } };
    };
    write(save, true, onOutcome);
  };
}

function saveExchangeToken({ sql, write, note, isSigned }: Tools): Work {
  return (call, onOutcome) => {
    const { exchangeToken, authInfo } = call.params;
    if (!isSigned(call, exchangeToken)) return onOutcome(REFUSED);
    const tokenHash = hash('sha256', exchangeToken, 'buffer');
    const sessionHash = hash('sha256', authInfo.token, 'buffer');
    const save = (): PeerOutcome => {
      if (sql.session.get(sessionHash)) return REFUSED;
      const id = newId();
      const until = Date.now() + EXCHANGE_TOKEN_LIFETIME_MS;
      const lifetime = authInfo.ttl * MINUTE_MS;
      const put = [tokenHash, id, authInfo.user, sessionHash, lifetime, null, until] as const;
      if (sql.putExchangeToken.run(...put).changes === 0) return REFUSED;
      note('embedded_storage.save_exchange_token', authInfo.user, null);
      return { result: { id } };
    };
    write(save, true, onOutcome);
  };
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** Calls `onCommit` after the commit of `operation`. A `durable` one is on the disk by then. */
type Write = <T>(operation: () => T, durable: boolean, onCommit: (result: T) => void) => void;

type PendingWrite = { operation: () => unknown; durable: boolean; onCommit: (result: never) => void };

const MAX_BATCH = 256;

/** Writes without any handling of failures. `endReads` is called before each transaction. */
function writerOf(db: Database, commit: Commit, endReads: () => void): Write {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  let flushes = true;
  const flushToDisk = (wanted: boolean) => {
    if (wanted === flushes) return;
    db.pragma(`synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    flushes = wanted;
  };
  const run = (group: readonly PendingWrite[]) => {
    endReads();
    flushToDisk(group.some(({ durable }) => durable));
    begin.run();
    const results = group.map(({ operation }) => operation());
    end.run();
    for (let at = 0; at < group.length; at++) (group[at] as PendingWrite).onCommit(results[at] as never);
  };
  if (commit === 'call') return (operation, durable, onCommit) => run([{ operation, durable, onCommit }]);

  const checkpointer = checkpointerFor(db, endReads);
  let pending: PendingWrite[] = [];
  const flush = () => {
    const group = pending;
    pending = [];
    run(group);
    checkpointer.wrote(group.length);
  };
  const gather = (before: number) => {
    const { length } = pending;
    if (length > before && length < MAX_BATCH && pending.some(({ durable }) => durable))
      setImmediate(gather, length);
    else flush();
  };
  return (operation, durable, onCommit) => {
    if (pending.length === 0) setImmediate(gather, 0);
    pending.push({ operation, durable, onCommit });
  };
}
