import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { link, MINUTE_MS, NOW, saveToken, session } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { openDatabase } from './open-database.ts';
import { sqliteStore } from './store.ts';

const DAY_MS = 86_400_000;

test('rows that were purged leave room in the file for as many new ones', async () => {
  const folder = folderInMemory();
  const db = openDatabase(join(folder, 'ehr.sqlite'));
  const store = sqliteStore(db, { audit: true });
  onTestFinished(() => store.close());
  await link(store, 'u', 'p', 'first');
  const pages: number[] = [];
  for (let day = 1; day <= 4; day++) {
    const now = NOW + day * DAY_MS;
    const saves = Array.from({ length: 600 }, (_, number) => [
      store.saveSession(session('u', `s-${day}-${number}`, { lifetime: MINUTE_MS }), 'sign-p', now, true),
      ...(number % 8 === 0
        ? [saveToken(store, `x-${day}-${number}`, 'u', `later-${day}-${number}`, now)]
        : []),
    ]);
    await Promise.all(saves.flat());
    pages.push(db.pragma('page_count', { simple: true }) as number);
    for (const purge of [store.purge, store.purgeAudit]) while ((await purge(now + DAY_MS, 1_000)) > 0);
  }
  const [first = 0] = pages;
  expect(first).toBeGreaterThan(20);
  // Pages are split otherwise on another day, so a tenth more is no growth.
  expect(Math.max(...pages)).toBeLessThan(first * 1.1);
  const rows = ['sessions', 'exchange_tokens', 'audit'].map((table) =>
    db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
  );
  expect(rows).toEqual([0, 0, 0]);
});
