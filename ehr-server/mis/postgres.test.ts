import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { expect, onTestFinished, test } from 'vitest';
import { StoppedError } from '#mis-fixtures/load-population.ts';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { population } from '#mis-fixtures/population.ts';
import { copyLine, writePostgres } from '#mis-fixtures/write-postgres.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { keysOf } from './keys.ts';
import { createMemoryMis } from './memory.ts';
import type { MatchQuery, Mis } from './mis.ts';
import { openPostgresMis } from './postgres.ts';

const postgres = usePostgres();
const PLAN = { patients: 2_000, seed: 7, locales: ['ru', 'en', 'de'] };

async function openMis(url: string): Promise<Mis> {
  const mis = await openPostgresMis(new pg.Pool({ connectionString: url, max: 3 }), url);
  onTestFinished(() => mis.close());
  return mis;
}

/** Every combination of the properties that a patient could send. */
function queriesFor(patient: Patient): MatchQuery[] {
  const { surname, name, day, gender, phones, card } = keysOf(patient);
  const full = { surname, name, day, phone: phones[0], gender };
  const members = Object.keys(full) as (keyof typeof full)[];
  const queries: MatchQuery[] = [];
  for (let bits = 0; bits < 1 << members.length; bits++) {
    const chosen = members.filter((_, index) => bits & (1 << index)).map((member) => [member, full[member]]);
    queries.push({ strategy: 'PHONE', ...Object.fromEntries(chosen) } as MatchQuery);
  }
  if (card !== undefined && phones[0] !== undefined)
    queries.push({ strategy: 'MEDCARD', card, phone: phones[0] });
  return queries;
}

test('PostgreSQL and memory answer every combination of properties alike, and give the same records', async () => {
  const url = await postgres.createSchema();
  const stored = await writePostgres(url, PLAN);
  const patients = [...population(PLAN)];
  expect(stored).toBe(patients.length);
  const mis = await openMis(url);
  const model = createMemoryMis(patients);
  for (const patient of [...allPersonaPatients, ...patients.slice(-20)]) {
    expect(await mis.get(patient.id)).toEqual(patient);
    for (const query of queriesFor(patient)) {
      const [found, expected] = [await mis.match(query), model.match(query)];
      expect(found).toHaveLength(expected.length);
      // Any two of three matches may be returned; a single one must be the same.
      if (expected.length < 2) expect(found).toEqual(expected);
    }
  }
  expect(await mis.get('p-nobody')).toBeUndefined();
});

test('text that COPY gives a meaning to comes back as it was', async () => {
  const odd = ['a\\tb\t\\N"\u2028', 'x\ny\r\\.', '\\N', ''];
  const client = new pg.Client({ connectionString: await postgres.createSchema() });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('CREATE TABLE odd (a text, b text, c text, d text)');
  await pipeline(Readable.from([copyLine(odd)]), client.query(copyFrom('COPY odd FROM STDIN')));
  const { rows } = await client.query({ text: 'SELECT * FROM odd', rowMode: 'array' });
  expect(rows).toEqual([odd]);
});

test('tables are created once by ten servers, and empty ones pass', async () => {
  const url = await postgres.createSchema();
  const all = await Promise.all(Array.from({ length: 10 }, () => openMis(url)));
  await Promise.all(all.map((mis) => mis.check()));
  expect(await all[0]?.match({ strategy: 'PHONE', phone: '79990000001' })).toEqual([]);
});

test('a population is replaced only by force, in place, while a server reads it', async () => {
  const url = await postgres.createSchema();
  await writePostgres(url, { ...PLAN, patients: 10 });
  const mis = await openMis(url);
  expect(await mis.get('p-0000020')).toBeUndefined();
  await expect(writePostgres(url, { ...PLAN, patients: 20 })).rejects.toThrow('Please add --force');
  for (const patients of [20, 30]) {
    await writePostgres(url, { ...PLAN, patients }, { force: true });
    expect(await mis.get('p-0000020')).toBeDefined();
    expect(await mis.match({ strategy: 'PHONE', phone: '79990000001' })).toEqual(['p-anna']);
  }
});

test('an interrupted run leaves the population as it was', async () => {
  const url = await postgres.createSchema();
  await writePostgres(url, { ...PLAN, patients: 10 });
  const signal = AbortSignal.abort();
  await expect(writePostgres(url, { ...PLAN, patients: 20 }, { signal, force: true })).rejects.toThrow(
    StoppedError,
  );
  const mis = await openMis(url);
  expect(await mis.get('p-0000010')).toBeDefined();
  expect(await mis.get('p-0000020')).toBeUndefined();
});

test('another schema version is refused with what to do', async () => {
  const url = await postgres.createSchema();
  await (await openMis(url)).check();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("UPDATE mis_meta SET value = '99' WHERE name = 'schema_version'");
  await client.end();
  await expect(openMis(url)).rejects.toThrow('its schema version is 99');
  await expect(writePostgres(url, PLAN, { force: true })).rejects.toThrow('newer than this program');
});

test('a database that cannot be reached is one sentence without the password', async () => {
  const run = writePostgres('postgres://ehr:geheim@127.0.0.1:1/ehr', PLAN);
  await expect(run).rejects.toThrow(
    /^Failed to write the population to PostgreSQL: .*ECONNREFUSED.*Please check/,
  );
  await expect(run).rejects.not.toThrow(/geheim/);
});
