/**
 * The MIS on a population in SQLite. Every match is one search of one index, however many patients there are.
 */
import type { Database } from 'better-sqlite3';
import type { Patient } from '#protocol/wire/fields.ts';
import { watchDatabase } from '#service/database-file.ts';
import { refuseForeign } from '#service/foreign-database.ts';
import { makePrivate } from '#service/process/files/private-file.ts';
import type { Log } from '#service/process/log.ts';
import { openSqlite, SqliteUnavailable } from '#service/sqlite.ts';
import { ownMisDatabase, ownPopulation, refuseServed } from '../database/own-database.ts';
import { readTransactions } from '../database/read-transaction.ts';
import { failedToOpen, troubleOf } from '../store/sqlite/failure.ts';
import type { LocalMis, MatchQuery } from './mis.ts';
import { matchSql, onceForEach } from './query.ts';
import { holdsPopulation, noPopulation, prepareMisSchema } from './schema.ts';

const CACHE_KIB = 32 * 1024;
/** How long a search waits for another process that has locked the whole file. */
const BUSY_TIMEOUT_MS = 100;

export type SqliteMisOptions = {
  /** Receives a line when the file is away or cut short, and when access was taken from other accounts. */
  log?: Log | undefined;
  /** Whether a file without a population is refused. Otherwise its tables are created. */
  mustExist?: boolean;
};

/**
 * Open the population in a SQLite file, or on an open connection. Missing tables are created. The file may be
 * the one with the EHR server's sessions. `close` closes only a connection that was opened here.
 * @throws {Error} when the file is no SQLite database, or its population has another schema version
 * @example const mis = openSqliteMis('.data/ehr.sqlite'); mis.match({ strategy: 'PHONE', surname:
 * nameKey('Petrova'), day: '1985-04-12', phone: phoneKey('79990000001') });
 */
export function openSqliteMis(
  source: Database | string,
  { log, mustExist = false }: SqliteMisOptions = {},
): LocalMis {
  const database = typeof source === 'string' ? openPopulation(source, log, mustExist) : source;
  try {
    prepareMisSchema(database);
    // No caller is answered while a statement waits for another process.
    if (database !== source) database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  } catch (error) {
    if (database !== source) database.close();
    throw troubleOf(error) ? failedToOpen('the population in', database.name, error) : error;
  }
  if (database === source) return createMis(database, { checkFile: () => undefined, close: () => undefined });
  const place = watchDatabase(database, { log, mayShrink: true });
  return createMis(database, { checkFile: place.check, close: () => place.close(database) });
}

/** The statement for one combination of members. The test of the query plans uses it as well. */
export function sqliteMatchSql(query: MatchQuery): string | undefined {
  return matchSql(query, (member) => `@${member}`);
}

/**
 * @param checkFile throws while the database is not the file that was opened: what is read then is of no use
 *   to anybody
 */
function createMis(
  database: Database,
  { checkFile, close }: { checkFile: () => void; close: () => void },
): LocalMis {
  const readRecord = database.prepare<[string], string>('SELECT record FROM patient WHERE id = ?').pluck();
  const reads = readTransactions(database, checkFile);
  const readOne = database.prepare('SELECT 1 FROM patient LIMIT 1');

  const statementOf = onceForEach((query) => {
    const sql = sqliteMatchSql(query);
    return sql === undefined ? undefined : database.prepare<[MatchQuery], string>(sql).pluck();
  });

  return {
    match(query) {
      reads.begin();
      return statementOf(query)?.all(query) ?? [];
    },
    get(patientId) {
      reads.begin();
      const record = readRecord.get(patientId);
      return record === undefined ? undefined : (JSON.parse(record) as Patient);
    },
    record(patientId) {
      reads.begin();
      return readRecord.get(patientId);
    },
    endReads: reads.end,
    check() {
      checkFile();
      readOne.get();
    },
    close,
  };
}

/**
 * Open a file of a population for reading. Create it without tables, unless it must exist.
 * @throws {Error} naming the file and the remedy when it is no database of ours or cannot be opened
 */
export function openPopulation(file: string, log?: Log, mustExist = false): Database {
  let database: Database | undefined;
  try {
    if (!mustExist) refuseServed(file);
    const found = refuseForeign(file, mustExist ? ownMisDatabase : ownPopulation);
    if (mustExist && found !== 'ours') throw noPopulation(file);
    if (!mustExist) makePrivate(file, log);
    database = openSqlite(file);
    if (mustExist && !holdsPopulation(database)) throw noPopulation(file);
    makePrivate(file, log);
    // Mapped it would be about 9 % faster, and a file that another program cuts short would end the process
    // (note 52).
    database.pragma('mmap_size = 0');
    database.pragma(`cache_size = -${CACHE_KIB}`);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof SqliteUnavailable) throw failedToOpen('the population in', file, cause);
    // Errors of the file system and of SQLite have a code. Our own say what to do.
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new Error(
      `Failed to open the population in ${file}: ${cause.message}. Please name a SQLite file in a directory that exists.`,
      { cause },
    );
  }
}
