import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { openSqlite } from '#service/sqlite.ts';
import { makePopulation } from './prepare.ts';

const never = new AbortController().signal;

function populationFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'demo-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'population.sqlite');
}

function query<T>(file: string, sql: string): T {
  const database = openSqlite(file);
  try {
    const statement = database.prepare(sql);
    return (statement.reader ? statement.pluck().get() : statement.run()) as T;
  } finally {
    database.close();
  }
}

test('a population is kept as it is at the next start, whatever number is asked for', async () => {
  const file = populationFile();
  await makePopulation(file, 3, never);
  await makePopulation(file, 5, never);
  expect(query(file, 'SELECT count(*) FROM patient')).toBe(3 + allPersonaPatients.length);
});

test('a population of another version of the program is replaced', async () => {
  const file = populationFile();
  await makePopulation(file, 3, never);
  query(file, `UPDATE mis_meta SET value = '${MIS_SCHEMA_VERSION - 1}' WHERE name = 'schema_version'`);
  query(file, 'DELETE FROM patient_match');
  await makePopulation(file, undefined, never);
  expect(query(file, "SELECT value FROM mis_meta WHERE name = 'schema_version'")).toBe(String(MIS_SCHEMA_VERSION));
  expect(query(file, 'SELECT count(*) FROM patient')).toBe(1_000 + allPersonaPatients.length);
});
