import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { openSqlite } from '#service/sqlite.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { type DemoConfig, readDemoConfig } from '../settings.ts';
import { takeDataDirectory } from './data-directory.ts';
import { makePopulation, prepare, readSecrets } from './prepare.ts';

const never = new AbortController().signal;

function populationFile(): string {
  const directory = temporaryFolder();
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

test('a population is kept at the next start, whatever number is asked for', async () => {
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
  expect(query(file, "SELECT value FROM mis_meta WHERE name = 'schema_version'")).toBe(
    String(MIS_SCHEMA_VERSION),
  );
  expect(query(file, 'SELECT count(*) FROM patient')).toBe(1_000 + allPersonaPatients.length);
});

test('the file of the password is closed to other accounts, even if open before', () => {
  const file = populationFile();
  const made = readSecrets(file);
  const mode = () => statSync(file).mode & 0o777;
  expect(mode()).toBe(0o600);
  chmodSync(file, 0o644);
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  expect([readSecrets(file), mode()]).toEqual([made, 0o600]);
  expect(said.mock.calls.flat()).toEqual([
    `Other accounts could read ${file}, which holds a password: not any more.\n`,
  ]);
});

test('a foreign file in the place of the password is refused, unchanged', () => {
  const [file, notes] = [populationFile(), populationFile()];
  writeFileSync(notes, '{"notes":"of somebody"}');
  chmodSync(notes, 0o644);
  expect(() => readSecrets(notes)).toThrow(`Failed to read ${notes}. Please delete it, or start over`);
  symlinkSync(notes, file);
  expect(() => readSecrets(file)).toThrow(`Failed to read ${file}: it is no regular file.`);
  expect(statSync(notes).mode & 0o777).toBe(0o644);
});

test('starting over removes what the demo has made, and nothing else', async () => {
  const data = temporaryFolder();
  for (const name of ['clock-offsets.json', 'ehr.sqlite', 'auth.sqlite-wal', 'of-somebody.sqlite'])
    writeFileSync(join(data, name), '');
  const config = readDemoConfig(['--fresh', '--no-console', '--patients', '0'], {}) as DemoConfig;
  const at = (name: string) => join(data, name);
  await prepare(config, { at, whyInMemory: undefined }, {}, never);
  expect(readdirSync(data).sort()).toEqual(['of-somebody.sqlite', 'population.sqlite', 'secrets.json']);
});

test('data in the place of a file is refused', () => {
  const file = join(temporaryFolder(), 'a-file');
  writeFileSync(file, '');
  for (const data of [file, join(file, 'below')])
    expect(() => takeDataDirectory(readDemoConfig(['--data', data], {}) as DemoConfig, [])).toThrow(
      '--data (environment variable DEMO_DATA) must name a directory',
    );
});
