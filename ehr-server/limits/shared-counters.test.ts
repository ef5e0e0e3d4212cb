import { type Pool as PgPool, Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { createLog } from '#service/process/log.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { openSharedCounters } from './shared-counters.ts';
import { countingProcess, HOUR_MS } from './testing.ts';

const postgres = usePostgres();

function poolOf(database: string): PgPool {
  const pool = new Pool({ connectionString: database, max: 1 });
  onTestFinished(() => pool.end());
  return pool;
}

test('ten processes that start at once grant one limit together', async () => {
  const database = await postgres.createSchema();
  const processes = await Promise.all(Array.from({ length: 10 }, () => countingProcess(database)));
  const outcomes: (number | undefined)[] = [];
  for (let round = 0; round < 20; round++)
    outcomes.push(...(await Promise.all(processes.map(({ take }) => take('192.0.2.1', 1)))));
  expect(outcomes.filter((wait) => wait === undefined)).toHaveLength(100);
  for (const { take } of processes) {
    const wait = await take('192.0.2.1', 1);
    expect(wait).toBeGreaterThan(HOUR_MS - 60_000);
    expect(wait).toBeLessThanOrEqual(HOUR_MS);
    expect(await take('192.0.2.2', 1)).toBeUndefined();
  }
});

test('a later process finds what others counted; names keep limits apart', async () => {
  const database = await postgres.createSchema();
  const first = await countingProcess(database);
  expect(await first.take('a', 100)).toBeUndefined();
  await first.close();
  expect(await (await countingProcess(database)).take('a', 1)).toBeGreaterThan(0);
  expect(await (await countingProcess(database, 'exchange_token')).take('a', 1)).toBeUndefined();
});

test('a flood that is refused costs no query', async () => {
  const database = await postgres.createSchema();
  const { take } = await countingProcess(database);
  const pool = poolOf(database);
  const pointsIn = async () => (await pool.query('SELECT points FROM ehr_rate_limits')).rows[0].points;
  for (const amount of [99, 1]) expect(await take('a', amount)).toBeUndefined();
  expect(await pointsIn()).toBe(100);
  for (let call = 0; call < 1_000; call++) expect(await take('a', 1)).toBeGreaterThan(0);
  expect(await pointsIn()).toBe(100);
});

test('a process whose table was lost counts alone, and the table is made again', async () => {
  const database = await postgres.createSchema();
  const { take, clock, messages } = await countingProcess(database);
  const told = (text: string) => messages().filter((line) => line.includes(text));
  const pool = poolOf(database);
  expect(await take('a', 100)).toBeUndefined();
  await pool.query('DROP TABLE ehr_rate_limits');
  for (let call = 0; call < 100; call++) expect(await take('b', 1)).toBeUndefined();
  expect(await take('b', 1)).toBeGreaterThan(0);
  expect([told('for this process alone'), told('together again')]).toEqual([[expect.any(String)], []]);
  clock.advance(5_000);
  expect(await take('c', 1)).toBeUndefined();
  expect(told('together again')).toHaveLength(1);
  expect((await pool.query('SELECT key FROM ehr_rate_limits')).rows).toEqual([{ key: 'address:c' }]);
});

test('windows that ended are deleted each minute', async () => {
  const database = await postgres.createSchema();
  const { take, clock } = await countingProcess(database);
  const pool = poolOf(database);
  await take('a', 1);
  await pool.query("INSERT INTO ehr_rate_limits SELECT 'old:' || n, 1, 1 FROM generate_series(1, 1000) n");
  clock.advance(60_000);
  const left = async () => Number((await pool.query('SELECT count(*) FROM ehr_rate_limits')).rows[0].count);
  while ((await left()) > 1) await new Promise(setImmediate);
  expect(await left()).toBe(1);
});

test('a table that cannot be made is told without the password', async () => {
  const database = new URL(await postgres.database());
  database.pathname = '/no_such_database';
  const failing = openSharedCounters({
    database: database.href,
    clock: manualClock(),
    log: createLog('test', 'silent'),
  });
  await expect(failing).rejects.toThrow('Failed to prepare the table ehr_rate_limits of the rate limits: ');
  await failing.catch((error: Error) => expect(error.message).not.toContain(database.password || 'nothing'));
});
