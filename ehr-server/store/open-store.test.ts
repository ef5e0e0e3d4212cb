import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { loadSqlite, openSqlite } from '#service/sqlite.ts';
import { link, NOW } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { engineOf, openStore } from './open-store.ts';
import { GroupWriter } from './sqlite/group-writer.ts';

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

test('the address says which engine holds the store', () => {
  expect(engineOf('postgres://127.0.0.1/ehr')).toBe('postgresql');
  expect(engineOf('ehr.sqlite')).toBe('sqlite');
  expect(engineOf(':memory:')).toBe('memory');
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
