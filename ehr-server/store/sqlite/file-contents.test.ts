import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#protocol/wire/hashes.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { link, NOW, save, saveToken } from '#testing/store-steps.ts';
import { folderInMemory, temporaryFolder } from '#testing/temporary-folder.ts';
import { openStore } from '../open-store.ts';
import { openDatabase } from './open-database.ts';
import { sqliteStore } from './store.ts';

const DAY_MS = 86_400_000;

proves(['T-file-9'], 'no signature of a removed link stays in the file', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const store = await openStore({ database: file, audit: true });
  const people = Array.from({ length: 800 }, (_, index) => index);
  await Promise.all(people.map((index) => link(store, `u-${index}`, `patient-${index}-`, `t-${index}`)));
  const gone = people.filter((index) => index % 3 > 0);
  const removed = gone.map((index) => store.removeUser(hashToken(`t-${index}`), `u-${index}`, NOW));
  expect(new Set(await Promise.all(removed))).toEqual(new Set([true]));
  await store.close();
  const text = readFileSync(file, 'latin1');
  expect(gone.filter((index) => text.includes(`sign-patient-${index}-`))).toEqual([]);
  expect(text).toContain('sign-patient-0-');
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('the audit has no column for a token, a signature or patient data', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  await (await openStore({ database: file, audit: true })).close();
  const db = openSqlite(file);
  onTestFinished(() => void db.close());
  const columns = db.prepare("SELECT name FROM pragma_table_info('audit')").pluck().all();
  expect(columns).toEqual(['id', 'at', 'action', 'user_id', 'patient_id', 'outcome']);
});

test('no statement on the audit changes an entry, INSERT OR REPLACE neither', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const store = await openStore({ database: file, audit: true });
  await link(store, 'u', 'p', 't');
  await store.recordAccess('u', 'p', NOW);
  const db = openSqlite(file);
  const entries = () => db.prepare('SELECT * FROM audit ORDER BY id').all();
  const before = entries();
  const row = "(id, at, action, user_id, patient_id, outcome) VALUES (1, 1, 'x', 'x', 'x', 'ok')";
  for (const statement of [
    `INSERT OR REPLACE INTO audit ${row}`,
    `REPLACE INTO audit ${row}`,
    `INSERT INTO audit ${row} ON CONFLICT (id) DO UPDATE SET user_id = 'x'`,
    "UPDATE audit SET user_id = 'x'",
    'UPDATE OR REPLACE audit SET id = 2 WHERE id = 1',
    'DELETE FROM audit',
  ]) {
    expect(() => db.exec(statement), statement).toThrow(/audit entries are (?:never changed|kept)/);
    expect([statement, entries()]).toEqual([statement, before]);
  }
  db.close();
  await store.recordAccess('u', 'p', NOW);
  expect(await store.readAudit({ after: 0, limit: 10 })).toHaveLength(before.length + 1);
  await store.close();
});

test('rows that were purged leave room in the file for as many new ones', async () => {
  const db = openDatabase(join(folderInMemory(), 'ehr.sqlite'));
  const store = sqliteStore(db, { audit: true });
  onTestFinished(() => store.close());
  await link(store, 'u', 'p', 'first');
  const pages: number[] = [];
  for (let day = 1; day <= 6; day++) {
    const now = NOW + day * DAY_MS;
    const saves = Array.from({ length: 1_500 }, (_, number) => [
      save(store, 'u', `s-${day}-${number}`, 'sign-p', now),
      ...(number % 8 === 0
        ? [saveToken(store, `x-${day}-${number}`, 'u', `later-${day}-${number}`, now)]
        : []),
    ]);
    await Promise.all(saves.flat());
    pages.push(db.pragma('page_count', { simple: true }) as number);
    for (const purge of [store.purge, store.purgeAudit]) while ((await purge(now + DAY_MS, 1_000)) > 0);
  }
  const [first = 0] = pages;
  expect(first).toBeGreaterThan(50);
  // Pages are split otherwise on another day, so a tenth more is no growth.
  expect(Math.max(...pages)).toBeLessThan(first * 1.1);
  const rows = ['sessions', 'exchange_tokens', 'audit'].map((table) =>
    db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
  );
  expect(rows).toEqual([0, 0, 0]);
});

test('a change is flushed to the disk, an access or a look is not', async () => {
  const db = openDatabase(join(folderInMemory(), 'ehr.sqlite'));
  const store = sqliteStore(db);
  onTestFinished(() => store.close());
  const [normal, full] = [1, 2];
  const flushes = () => db.pragma('synchronous', { simple: true });
  await link(store, 'u', 'p', 'token');
  expect(flushes()).toBe(full);
  await store.recordAccess('u', 'p', NOW);
  expect(flushes()).toBe(normal);
  await link(store, 'v', 'q', 'other');
  expect(flushes()).toBe(full);
  await store.check();
  expect(flushes()).toBe(normal);
});

test('a store that answers and cannot be written does not pass its check', async () => {
  const db = openDatabase(':memory:');
  const store = sqliteStore(db);
  onTestFinished(() => store.close());
  await store.check();
  db.pragma('query_only = ON');
  await expect(async () => store.check()).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
  db.pragma('query_only = OFF');
  await store.check();
});

test('a file is opened for durable use, in a folder made for it', () => {
  const db = openDatabase(join(temporaryFolder(), 'deep', 'down', 'ehr.sqlite'));
  onTestFinished(() => void db.close());
  const pragma = (name: string) => db.pragma(name, { simple: true });
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('secure_delete')).toBe(1);
  expect(pragma('mmap_size')).toBe(0);
  expect(pragma('cache_size')).toBe(-4096);
  expect(pragma('busy_timeout')).toBe(2_000);
});

test('a PostgreSQL address is no file name, and its password untold', () => {
  const open = () => openDatabase('postgres://user:canary@127.0.0.1/ehr');
  expect(open).toThrow(/is a PostgreSQL database; a SQLite file is wanted here\.$/);
  expect(open).not.toThrow(/canary/);
});
