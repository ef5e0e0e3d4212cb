/** The MIS on a population in SQLite: every match is one search of one index, however many patients there are. */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type { Patient } from '#protocol/fields.ts';
import { failedToOpen, troubleOf } from '../sqlite-failure.ts';
import { createPrivately } from '../store/private-file.ts';
import { turnReads } from '../turn-reads.ts';
import type { LocalMis, MatchQuery } from './mis.ts';
import { combinationOf, matchSql } from './query.ts';
import { prepareMisSchema } from './schema.ts';

/** How much of the file SQLite may map into memory, in bytes: reading mapped pages is about 9 % faster. */
const MAPPED_BYTES = 2_147_418_112;
const CACHE_KIB = 32 * 1024;
/** How long a search waits for another process that has locked the whole file, in milliseconds. */
const BUSY_TIMEOUT = 100;

/**
 * Opens the population in a SQLite file, or on a connection that is open already; the tables are created when missing.
 * The file may be the one that holds the EHR server's sessions. `close` closes only a connection that was opened here.
 * @throws {Error} when the file is no SQLite database, or its population has another schema version
 * @example
 * const mis = openSqliteMis('.data/ehr.sqlite');
 * mis.match({ strategy: 'PHONE', surname: nameKey('Petrova'), day: '1985-04-12', phone: phoneKey('79990000001') });
 */
export function openSqliteMis(source: Database | string): LocalMis {
  const database = typeof source === 'string' ? openPopulation(source) : source;
  try {
    prepareMisSchema(database);
    // While a statement waits for another process, nobody is answered.
    if (database !== source) database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  } catch (error) {
    if (database !== source) database.close();
    throw troubleOf(error) ? failedToOpen('the population in', database.name, error) : error;
  }
  return createMis(database, () => {
    if (database !== source) database.close();
  });
}

/** The statement for one combination of members, for the test that asks SQLite for its plan too. */
export function sqliteMatchSql(query: MatchQuery): string | undefined {
  return matchSql(query, (member) => `@${member}`);
}

type MatchStatement = Statement<[MatchQuery], string>;

function createMis(database: Database, close: () => void): LocalMis {
  const statements = new Map<number, MatchStatement | undefined>();
  const readRecord = database.prepare<[string], string>('SELECT record FROM patient WHERE id = ?').pluck();
  const beginReads = turnReads(database);
  const readOne = database.prepare('SELECT 1 FROM patient LIMIT 1');

  function prepare(combination: number, query: MatchQuery): MatchStatement | undefined {
    const sql = sqliteMatchSql(query);
    const statement = sql === undefined ? undefined : database.prepare<[MatchQuery], string>(sql).pluck();
    statements.set(combination, statement);
    return statement;
  }

  return {
    match(query) {
      beginReads();
      const combination = combinationOf(query);
      const statement = statements.has(combination) ? statements.get(combination) : prepare(combination, query);
      return statement === undefined ? [] : statement.all(query);
    },
    get(patientId) {
      beginReads();
      const record = readRecord.get(patientId);
      return record === undefined ? undefined : (JSON.parse(record) as Patient);
    },
    record(patientId) {
      beginReads();
      return readRecord.get(patientId);
    },
    check: () => void readOne.get(),
    close,
  };
}

/**
 * Opens a file of a population (or creates it, without tables) for reading.
 * @throws {Error} naming the file and the remedy when it is no SQLite database or cannot be opened
 */
export function openPopulation(file: string): Database {
  let database: Database | undefined;
  try {
    if (file !== ':memory:') createPrivately(file);
    database = new SqliteDatabase(file);
    // Reads the header, so that a file that is no database is refused here.
    database.pragma('schema_version');
    database.pragma(`mmap_size = ${MAPPED_BYTES}`);
    database.pragma(`cache_size = -${CACHE_KIB}`);
    return database;
  } catch (cause) {
    database?.close();
    const fact = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Failed to open the population in ${file}: ${fact}. Please name a SQLite file in a directory that exists.`,
      { cause },
    );
  }
}
