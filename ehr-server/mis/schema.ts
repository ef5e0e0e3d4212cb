/**
 * The tables of the population in SQLite, with their own version, so that they can live in a file of their
 * own or beside the EHR server's.
 */

import type { Database } from 'better-sqlite3';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { hasTable } from '#service/sqlite.ts';

/** Raised when files of older programs could not be read, or hold keys that are made otherwise now. */
export const MIS_SCHEMA_VERSION = 4;

/** Every table of the population; nothing else in a file belongs to it. */
export const MIS_TABLES = ['mis_meta', 'patient', 'patient_match', 'patient_card'] as const;

/**
 * `patient` keeps its rowid: with records of half a kilobyte a WITHOUT ROWID tree would hold few of them per
 * page and grow deep. The match tables are the opposite case, all key. `phone_key` is empty for a patient
 * without a phone.
 */
const TABLES = `
  CREATE TABLE mis_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE patient (id TEXT NOT NULL PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE TABLE patient_match (
    birthdate TEXT NOT NULL,
    surname_key TEXT NOT NULL,
    name_key TEXT NOT NULL,
    phone_key TEXT NOT NULL,
    gender INTEGER NOT NULL,
    patient_id TEXT NOT NULL,
    PRIMARY KEY (birthdate, surname_key, name_key, phone_key, gender, patient_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE patient_card (
    card_key TEXT NOT NULL,
    phone_key TEXT NOT NULL,
    patient_id TEXT NOT NULL,
    PRIMARY KEY (card_key, phone_key, patient_id)
  ) STRICT, WITHOUT ROWID;
`;

const INDEXES = `
  CREATE INDEX patient_match_phone
    ON patient_match (phone_key, birthdate, surname_key, name_key, gender, patient_id);
`;

/**
 * Make sure that the database holds the tables of the population in this version. Create them when it holds
 * none. A database that has them is only read.
 * @throws {Error} when it holds another version
 */
export function prepareMisSchema(database: Database): void {
  if (readVersion(database) === undefined) {
    // Another connection may be creating them at this moment: look again inside the write lock.
    database
      .transaction(() => {
        if (readVersion(database) !== undefined) return;
        createMisTables(database);
        createMisIndexes(database);
      })
      .immediate();
  }
  requireMisVersion(readVersion(database));
}

/** @throws {Error} for the tables of another version */
export function requireMisVersion(version: number | undefined): void {
  if (version === MIS_SCHEMA_VERSION) return;
  throw new Error(
    `Failed to open the population: its schema version is ${version}, and this program knows version ${MIS_SCHEMA_VERSION}. ` +
      `Please use the program that wrote it, or write a new population with "${commandLine('fixtures')}".`,
  );
}

/** Whether the database has the tables of a population, in any version. */
export function holdsPopulation(database: Database): boolean {
  return hasTable(database, 'mis_meta');
}

/** The error for a database that is named as the population and holds none. */
export function noPopulation(database: string): Error {
  return new Error(
    `--mis-database (environment variable EHR_MIS_DATABASE) names no population: ${database} holds none. Please make one there with "${commandLine('fixtures')}", correct the name, or leave it out to keep the patients in --database.`,
  );
}

/** Create the empty tables without the second index, which is cheaper to build after the rows. */
export function createMisTables(database: Database): void {
  database.exec(TABLES);
  database
    .prepare("INSERT INTO mis_meta (name, value) VALUES ('schema_version', ?)")
    .run(String(MIS_SCHEMA_VERSION));
}

export function createMisIndexes(database: Database): void {
  database.exec(INDEXES);
}

function readVersion(database: Database): number | undefined {
  if (!holdsPopulation(database)) return undefined;
  const value = database.prepare("SELECT value FROM mis_meta WHERE name = 'schema_version'").pluck().get();
  return Number(value);
}
