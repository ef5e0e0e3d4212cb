import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import { openSqlite } from '#service/sqlite.ts';
import { foreignFiles, placeForeign } from '#testing/foreign-files.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { type LoadOptions, StoppedError } from './load-population.ts';
import { allPersonaPatients } from './personas.ts';
import { population } from './population.ts';
import { writePopulation } from './write-population.ts';

const PERSONA_COUNT = allPersonaPatients.length;

let directory: string;
let file: string;
beforeEach(() => {
  directory = folderInMemory();
  file = join(directory, 'mis.sqlite');
});

/** Writes the population of a plan that is small unless `more` says otherwise. */
const write = (more: Partial<Parameters<typeof writePopulation>[0]> = {}) =>
  writePopulation({ file, patients: 1, seed: 1, locales: ['en'], ...more });

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

function read<Result>(path: string, query: (database: Database) => Result): Result {
  const database = openSqlite(path, { readonly: true });
  try {
    return query(database);
  } finally {
    database.close();
  }
}

const count = (path: string) =>
  read(path, (database) => database.prepare('SELECT count(*) FROM patient').pluck().get());

/** A file as the EHR server leaves it: with sessions, in WAL mode. */
function fileWithSessions(): Database {
  const database = openSqlite(file);
  database.pragma('journal_mode = WAL');
  database.exec(
    "CREATE TABLE links (id); CREATE TABLE sessions (token_hash, user); INSERT INTO sessions VALUES (x'0102', 'u-1')",
  );
  return database;
}

test('the same seed gives the same bytes, and another seed others', async () => {
  const files = ['a', 'b', 'c'].map((name) => join(directory, name));
  for (const [index, path] of files.entries())
    await writePopulation({
      file: path,
      patients: 2_500,
      seed: index < 2 ? 7 : 8,
      locales: ['ru', 'en', 'de'],
    });
  const [first, second, third] = files.map(digestOf);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('what is written is the population of the plan, readable and matchable', async () => {
  const plan = { patients: 3_000, seed: 7, locales: ['ru', 'en', 'de'] };
  expect(await writePopulation({ file, ...plan })).toEqual({
    patients: 3_000 + PERSONA_COUNT,
    existed: false,
  });
  expect(read(file, (database) => database.pragma('integrity_check', { simple: true }))).toBe('ok');
  const mis = openSqliteMis(file);
  for (const patient of population(plan)) expect(mis.get(patient.id)).toEqual(patient);
  expect(
    mis.match({
      strategy: 'PHONE',
      surname: 'petrova',
      name: 'anna',
      day: '1985-04-12',
      phone: '79990000001',
    }),
  ).toEqual(['p-anna']);
  expect(mis.match({ strategy: 'MEDCARD', card: 'b-2002', phone: '78125550108' })).toEqual(['p-boris']);
  mis.close();
  expect(readdirSync(directory)).toEqual(['mis.sqlite']);
});

test('the file tells what made it', async () => {
  await write({ patients: 5, seed: 7, locales: ['ru', 'en'] });
  const notes = read(file, (database) =>
    database.prepare('SELECT name, value FROM mis_meta ORDER BY name').raw().all(),
  );
  expect(notes).toEqual([
    ['locales', 'ru,en'],
    ['patients', '5'],
    ['schema_version', String(MIS_SCHEMA_VERSION)],
    ['seed', '7'],
  ]);
});

test('a population that is there is refused without force and replaced with it', async () => {
  await write({ patients: 10 });
  const before = digestOf(file);
  await expect(write({ patients: 20 })).rejects.toThrow(
    `${file} holds one of ${10 + PERSONA_COUNT} patients already. Please add --force`,
  );
  expect(digestOf(file)).toBe(before);
  expect(await write({ patients: 20, force: true })).toEqual({ patients: 20 + PERSONA_COUNT, existed: true });
  expect(count(file)).toBe(20 + PERSONA_COUNT);
});

test('sessions in the file stay when the population is replaced', async () => {
  const server = fileWithSessions();
  const mis = openSqliteMis(server);
  await write({ patients: 5 });
  expect(mis.get('p-0000005')).toBeDefined();
  await write({ patients: 3, force: true });
  expect(mis.get('p-0000005')).toBeUndefined();
  expect(mis.match({ strategy: 'PHONE', phone: '79990000001' })).toEqual(['p-anna']);
  expect(server.prepare('SELECT user FROM sessions').pluck().all()).toEqual(['u-1']);
  server.close();
});

test('an interrupted run leaves no new file and nothing of it', async () => {
  const interrupt = new AbortController();
  const run = write({ patients: 50_000, signal: interrupt.signal, onProgress: () => interrupt.abort() });
  await expect(run).rejects.toThrow(StoppedError);
  expect(readdirSync(directory)).toEqual([]);
});

test('an interrupted run leaves an existing file as it was', async () => {
  fileWithSessions().close();
  await write({ patients: 10 });
  const interrupt = new AbortController();
  const stopAtTheEnd = ({ phase }: { phase: string }) => phase === 'indexes' && interrupt.abort();
  const run = write({
    patients: 5_000,
    seed: 2,
    force: true,
    signal: interrupt.signal,
    onProgress: stopAtTheEnd,
  });
  await expect(run).rejects.toThrow(StoppedError);
  expect(count(file)).toBe(10 + PERSONA_COUNT);
  expect(read(file, (database) => database.prepare('SELECT user FROM sessions').pluck().all())).toEqual([
    'u-1',
  ]);
});

test('what a killed run left behind is cleared away', async () => {
  for (const leftover of [
    '',
    '\0'.repeat(9_000),
    `SQLite format 3\0${'half a database, unreadable '.repeat(1_000)}`,
  ]) {
    writeFileSync(`${file}.partial`, leftover);
    await write();
    expect(readdirSync(directory)).toEqual(['mis.sqlite']);
    rmSync(file);
  }
});

test('a foreign file under the name of the half file stays', async () => {
  writeFileSync(`${file}.partial`, 'notes');
  await expect(write()).rejects.toThrow(
    `${file}.partial is a file of another program, and this program needs that name. Please move it away`,
  );
  expect([readdirSync(directory), readFileSync(`${file}.partial`, 'utf8')]).toEqual([
    ['mis.sqlite.partial'],
    'notes',
  ]);
});

for (const [what, foreign] of Object.entries(foreignFiles))
  proves(['T-file-10'], `a ${what} gets no population and stays as it is`, async () => {
    const { file: notes, picture } = placeForeign(foreign);
    const before = picture();
    const writing = write({ file: notes, force: true });
    await expect(writing).rejects.toThrow(foreign.called);
    expect(picture()).toEqual(before);
  });

test('of two runs for one new file the first completes, with its progress', async () => {
  const plan = { patients: 5_000 };
  const seen: [string, number][] = [];
  const onProgress: LoadOptions['onProgress'] = ({ phase, done }) => seen.push([phase, done]);
  const first = write({ ...plan, onProgress });
  await expect(write(plan)).rejects.toThrow(`another program is writing ${file}.partial`);
  const total = 5_000 + PERSONA_COUNT;
  expect(await first).toEqual({ patients: total, existed: false });
  expect(count(file)).toBe(total);
  expect(seen).toEqual([
    ['patients', 2_000],
    ['patients', 4_000],
    ['indexes', total],
    ['indexes', total],
  ]);
});

test('a file that somebody else makes meanwhile is not replaced', async () => {
  const run = write({ patients: 5_000 });
  fileWithSessions().close();
  await expect(run).rejects.toThrow(`${file} was made by another program meanwhile`);
  expect(read(file, (database) => database.prepare('SELECT user FROM sessions').pluck().all())).toEqual([
    'u-1',
  ]);
  expect(existsSync(`${file}.partial`)).toBe(false);
});

test('a population of a newer program is refused, with force too', async () => {
  await write();
  const database = openSqlite(file);
  database.exec(`UPDATE mis_meta SET value = '${MIS_SCHEMA_VERSION + 1}' WHERE name = 'schema_version'`);
  database.close();
  await expect(write({ force: true })).rejects.toThrow("newer than this program's");
});

test('a path that cannot be written is refused with what to check', async () => {
  writeFileSync(join(directory, 'plain'), '');
  const inside = join(directory, 'plain', 'mis.sqlite');
  await expect(write({ file: inside })).rejects.toThrow(`Failed to write the population to ${inside}: `);
});
