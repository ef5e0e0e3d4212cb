import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { link, NOW } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { openDatabase } from './open-database.ts';
import { sqliteStore } from './store.ts';

test('a change is flushed to the disk, an access or a look is not', async () => {
  const folder = folderInMemory();
  const db = openDatabase(join(folder, 'ehr.sqlite'));
  const store = sqliteStore(db);
  onTestFinished(async () => {
    await store.close();
  });
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
