import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { openSqlite } from '#service/sqlite.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { populate } from '#testing/programs/processes.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readEhrConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import { openMis } from './open-mis.ts';

const postgres = usePostgres();

const NONE =
  /^--mis-database \(environment variable EHR_MIS_DATABASE\) names no population: .* holds none\. Please make one there with "npm run fixtures", correct the name, or leave it out/;
const open = (misDatabase: string | undefined, database = ':memory:') =>
  openMis({ database, misDatabase, databasePool: 3 });

test('a file that holds no population is refused, and none is made', async () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'missing.sqlite');
  await expect(open(missing)).rejects.toThrow(NONE);
  await expect(open(join(folder, 'nowhere', 'x.sqlite'))).rejects.toThrow(NONE);
  expect(existsSync(missing)).toBe(false);
  const other = join(folder, 'other.sqlite');
  await (await openStore({ database: other, audit: true })).close();
  writeFileSync(join(folder, 'empty.sqlite'), '');
  for (const file of [other, join(folder, 'empty.sqlite'), ':memory:'])
    await expect(open(file, 'another.sqlite')).rejects.toThrow(NONE);
  const db = openSqlite(other);
  expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'patient%'").pluck().get()).toBe(0);
  db.close();
});

test('a population is opened, and in the database of the sessions one is made', async () => {
  const file = join(temporaryFolder(), 'patients.sqlite');
  populate(file);
  for (const mis of [
    await open(file),
    await open(undefined),
    await open(undefined, file),
    await open(file, file),
  ]) {
    await mis.check();
    await mis.close();
  }
});

test('a PostgreSQL database without a population is refused, and none is made', async () => {
  const url = await postgres.createDatabase();
  await expect(open(url)).rejects.toThrow(NONE);
  const rows = await runOn(url, "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'");
  expect(rows).toEqual([{ tables: 0 }]);
  await (await open(undefined, url)).close();
  await (await open(url)).close();
});

test('a PostgreSQL address that leads nowhere is told in a sentence, without its password', async () => {
  for (const [url, named, why] of [
    [
      'postgres://ehr:s3cret@127.0.0.1:1/clinic',
      'postgres://ehr@127.0.0.1:1/clinic',
      'connect ECONNREFUSED 127.0.0.1:1',
    ],
    ['postgres://ehr:s3cret@nowhere.invalid/clinic', 'postgres://ehr@nowhere.invalid/clinic', 'getaddrinfo '],
    [
      'postgres://ehr:s3cret@h:99999/clinic',
      '',
      'The database address cannot be read. Please write it as postgres://',
    ],
    // A password whose own signs end the host: the host would be a part of it.
    ...['x@s3cret/y', 's3cret/y', '12/s3cret', 's3cret?y', 's3cret#y', 's3cret%y', 'x/s3cret@y'].map(
      (password) => [`postgres://ehr:${password}@127.0.0.1:1/clinic`, '', '%2F %3F %23 %40 %25'] as const,
    ),
    ['postgres:ehr:s3cret@127.0.0.1/clinic', '', 'The database address cannot be read.'],
    [
      'postgres://ehr:x@s3cret@127.0.0.1:1/clinic',
      'postgres://ehr@127.0.0.1:1/clinic',
      'connect ECONNREFUSED',
    ],
  ] as const)
    for (const opening of [
      () => open(undefined, url),
      () => open(url),
      () => openStore({ database: url, audit: true }),
    ]) {
      const { message } = await opening().then(
        () => new Error('It was opened.'),
        (error: Error) => error,
      );
      expect(message).toContain(why);
      expect(message).not.toContain('s3cret');
      if (named === '') continue;
      expect(message).toMatch(/^Failed to open the (?:population in|database) postgres:/);
      expect(message).toContain(`${named}: `);
      expect(message).toContain('Please check that PostgreSQL is there');
    }
});

test('an address of another database is refused without being repeated', () => {
  const env = { EHR_INTERNAL_USER: INTERNAL_USER, EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD };
  for (const flag of ['--database', '--mis-database'])
    for (const address of ['mysql://ehr:s3cret@h/x', 'http://h', 'sqlite:///x'])
      expect(() => readEhrConfig([flag, address], env)).toThrow(
        new RegExp(
          `^${flag} \\(environment variable \\w+\\) must be a SQLite file or an address that begins with postgres://\\.$`,
        ),
      );
  expect(readEhrConfig(['--database', 'C:\\data\\ehr.sqlite'], env)?.database).toBe('C:\\data\\ehr.sqlite');
});

const anna = personas.anna.patients[0];

/** Opens a population with this content. */
function openJson(content: unknown) {
  const file = join(temporaryFolder(), 'patients.json');
  if (content !== undefined)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return open(file);
}

test('the patients of a JSON file are read, after a byte order mark too', async () => {
  const mis = await openJson(`\ufeff${JSON.stringify([anna])}`);
  expect(await mis.match({ strategy: 'PHONE', phone: '79990000001' })).toEqual([anna.id]);
  expect(await mis.get(anna.id)).toEqual(anna);
});

test('an unusable JSON file is refused with its place, without what it says', async () => {
  const remedy = 'Please correct it, or name another with --mis-database.';
  for (const [content, why] of [
    [undefined, 'the file cannot be opened (ENOENT)'],
    ['[Petrova', 'it is not JSON'],
    [{ anna }, 'it must be a list of patients'],
    [[anna, { ...anna, birthdate: 'Petrova' }], '1.birthdate cannot be used'],
  ] as const) {
    const error = await openJson(content).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(`patients.json: ${why}. ${remedy}`) });
    expect(String(error)).not.toContain('Petrova');
  }
});
