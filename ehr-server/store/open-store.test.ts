import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashToken } from '#protocol/wire/hashes.ts';
import { loadSqlite, openSqlite } from '#service/sqlite.ts';
import { link, NOW } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { createMeter } from '../metrics/counts.ts';
import { openStore } from './open-store.ts';
import { GroupWriter } from './sqlite/group-writer.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { sqliteStore } from './sqlite/store.ts';
import { watchStore } from './watch-store.ts';

function fileInFolder(): string {
  const folder = folderInMemory();
  return join(folder, 'ehr.sqlite');
}

test('a file of a newer version is refused and not kept open', async () => {
  const database = fileInFolder();
  await (await openStore({ database, audit: true })).close();
  const other = openSqlite(database);
  onTestFinished(() => void other.close());
  other.pragma('user_version = 99');
  await expect(openStore({ database, audit: true })).rejects.toThrow(
    new RegExp(
      `^Failed to open the database ${database}: it was written by a newer version of this program \\(schema 99, known is \\d+\\)\\. Please update, or name another file with --database \\(EHR_DATABASE\\)\\.$`,
    ),
  );
  // SQLite leaves this mode only while nobody else has the file open.
  expect(other.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
});

test('a store is not ready without its file or after a full disk', async () => {
  const database = fileInFolder();
  const store = await openStore({ database, audit: true });
  onTestFinished(() => store.close());
  expect(await store.check()).toBeUndefined();
  renameSync(database, `${database}.away`);
  expect(() => store.check()).toThrow(`The database ${database} is not in its place.`);
  renameSync(`${database}.away`, database);
  expect(await store.check()).toBeUndefined();

  const full = new (loadSqlite().SqliteError)('database or disk is full', 'SQLITE_FULL');
  vi.spyOn(GroupWriter.prototype, 'write').mockRejectedValueOnce(full);
  await expect(store.removeSession(hashToken('t'), 'u', NOW)).rejects.toThrow('the disk is full');
  expect(() => store.check()).toThrow(`The database ${database} fails: the disk is full.`);
});

test('a cleared store holds nobody, and what it kept comes back', async () => {
  for (const database of [':memory:', fileInFolder()]) {
    const store = await openStore({ database, audit: true });
    onTestFinished(() => store.close());
    await link(store, 'u', 'p', 't');
    const putBack = await store.keep?.();
    await store.clear?.();
    expect(await store.contents(9)).toEqual({ sessions: [], exchangeTokens: [], links: [] });
    await putBack?.();
    expect(await store.contents(9)).toMatchObject({ links: [{ user: 'u' }] });
  }
});

test('failing operations are told by name, others pass unchanged', async () => {
  const meter = createMeter();
  const db = openDatabase(':memory:');
  const store = watchStore(sqliteStore(db, { audit: true, onCommit: meter.onCommit }), meter.onStoreFailure);
  const token = Buffer.alloc(32, 1);
  expect(store.findSession(token)).toBeUndefined();
  expect(await store.removeSession(token, 'u-1', 0)).toBe(false);
  expect([...meter.counts.storeErrors]).toEqual([]);
  expect(meter.counts.commitSizes.sum).toBe(1);
  db.close();
  expect(() => store.findSession(token)).toThrow('not open');
  expect(() => store.check()).toThrow('not open');
  await expect(store.removeSession(token, 'u-1', 0)).rejects.toThrow('not open');
  await expect(store.removeSession(token, 'u-1', 0)).rejects.toThrow('not open');
  expect([...meter.counts.storeErrors]).toEqual([
    ['findSession', 1],
    ['check', 1],
    ['removeSession', 2],
  ]);
});
