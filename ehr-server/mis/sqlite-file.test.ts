import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { patient as patientSchema } from '#protocol/wire/fields.ts';
import { openSqlite } from '#service/sqlite.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { patientInserter } from './insert.ts';
import { MIS_SCHEMA_VERSION, MIS_TABLES } from './schema.ts';
import { openSqliteMis } from './sqlite.ts';

const patient = patientSchema.parse(ehrMethods['patient.get_patient'].example.result.patient);

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

test('the tables are created when missing, and the check passes on an empty population', () => {
  const file = join(directory, 'mis.sqlite');
  const mis = openSqliteMis(file);
  mis.check();
  expect(mis.get('p-nobody')).toBeUndefined();
  mis.close();
  const database = openSqlite(file, { readonly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  database.close();
  expect(new Set(tables)).toEqual(new Set(MIS_TABLES));
});

test('a population is read on another connection, beside other tables', () => {
  const file = join(directory, 'shared.sqlite');
  const writer = openSqlite(file);
  writer.pragma('journal_mode = WAL');
  writer.exec("CREATE TABLE links (id); CREATE TABLE sessions (token); INSERT INTO sessions VALUES ('kept')");
  const mis = openSqliteMis(file);
  patientInserter(writer)(patient);
  expect(mis.get(patient.id)).toEqual(patient);
  mis.close();
  expect(writer.prepare('SELECT token FROM sessions').pluck().all()).toEqual(['kept']);
  writer.close();
});

test('closing the MIS leaves a connection open that was handed to it', () => {
  const database = openSqlite(join(directory, 'mis.sqlite'));
  openSqliteMis(database).close();
  expect(database.open).toBe(true);
  database.close();
});

test('a closed MIS fails its check', () => {
  const mis = openSqliteMis(join(directory, 'mis.sqlite'));
  mis.close();
  expect(() => mis.check()).toThrow('not open');
});

test('a population of a newer program is refused and left as it is', () => {
  const file = join(directory, 'mis.sqlite');
  openSqliteMis(file).close();
  const database = openSqlite(file);
  database
    .prepare("UPDATE mis_meta SET value = ? WHERE name = 'schema_version'")
    .run(String(MIS_SCHEMA_VERSION + 1));
  database.close();
  expect(() => openSqliteMis(file)).toThrow(
    `its schema version is ${MIS_SCHEMA_VERSION + 1}, and this program knows version ${MIS_SCHEMA_VERSION}`,
  );
});

test('a directory that does not exist is refused with what to do', () => {
  expect(() => openSqliteMis(join(directory, 'nowhere', 'mis.sqlite'))).toThrow(
    'Please name a SQLite file in a directory that exists.',
  );
});
