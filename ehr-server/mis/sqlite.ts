/** The MIS on a population in SQLite: every match is one search of one index, however many patients there are. */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type { Patient } from '#protocol/fields.ts';
import { type LocalMis, MATCH_LIMIT, type MatchQuery } from './mis.ts';
import { prepareMisSchema } from './schema.ts';

/** How much of the file SQLite may map into memory, in bytes: reading mapped pages is about 9 % faster. */
const MAPPED_BYTES = 2 ** 30;
const CACHE_KIB = 32 * 1024;

/**
 * Opens the population in a SQLite file, or on a connection that is open already; the tables are created when missing.
 * The file may be the one that holds the EHR server's sessions. `close` closes only a connection that was opened here.
 * @throws {Error} when the file is no SQLite database, or its population has another schema version
 * @example
 * const mis = openSqliteMis('.data/ehr.sqlite');
 * mis.match({ strategy: 'PHONE', surname: nameKey('Petrova'), day: '1985-04-12', phone: phoneKey('79990000001') });
 */
export function openSqliteMis(source: Database | string): LocalMis {
  const database = typeof source === 'string' ? openFile(source) : source;
  try {
    prepareMisSchema(database);
  } catch (error) {
    if (database !== source) database.close();
    throw error;
  }
  return createMis(database, () => {
    if (database !== source) database.close();
  });
}

/**
 * The statement for one combination of members. Exported for the test that asks SQLite for its plan.
 * @returns undefined for a combination that matches nobody
 */
export function matchSql(query: MatchQuery): string | undefined {
  if (query.strategy === 'MEDCARD') {
    return `SELECT DISTINCT patient_id FROM patient_card WHERE card_key = @card AND phone_key = @phone LIMIT ${MATCH_LIMIT}`;
  }
  if (query.phone === undefined && query.day === undefined) return undefined;
  const conditions = COLUMNS.filter(([member]) => query[member] !== undefined).map(
    ([member, column]) => `${column} = @${member}`,
  );
  return `SELECT DISTINCT patient_id FROM patient_match WHERE ${conditions.join(' AND ')} LIMIT ${MATCH_LIMIT}`;
}

const COLUMNS = [
  ['day', 'birthdate'],
  ['surname', 'surname_key'],
  ['name', 'name_key'],
  ['phone', 'phone_key'],
  ['gender', 'gender'],
] as const;

type MatchStatement = Statement<[MatchQuery], string>;

function createMis(database: Database, close: () => void): LocalMis {
  const statements = new Map<number, MatchStatement | undefined>();
  const readRecord = database.prepare<[string], string>('SELECT record FROM patient WHERE id = ?').pluck();
  const readOne = database.prepare('SELECT 1 FROM patient LIMIT 1');

  function prepare(combination: number, query: MatchQuery): MatchStatement | undefined {
    const sql = matchSql(query);
    const statement = sql === undefined ? undefined : database.prepare<[MatchQuery], string>(sql).pluck();
    statements.set(combination, statement);
    return statement;
  }

  return {
    match(query) {
      const combination = combinationOf(query);
      const statement = statements.has(combination) ? statements.get(combination) : prepare(combination, query);
      return statement === undefined ? [] : statement.all(query);
    },
    get(patientId) {
      const record = readRecord.get(patientId);
      return record === undefined ? undefined : (JSON.parse(record) as Patient);
    },
    check: () => void readOne.get(),
    close,
  };
}

const MEDCARD_COMBINATION = -1;

/** Numbers the combination of members sent, so that its statement is found without building its text. */
function combinationOf(query: MatchQuery): number {
  if (query.strategy === 'MEDCARD') return MEDCARD_COMBINATION;
  return COLUMNS.reduce((bits, [member], index) => (query[member] === undefined ? bits : bits | (1 << index)), 0);
}

function openFile(file: string): Database {
  let database: Database | undefined;
  try {
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
