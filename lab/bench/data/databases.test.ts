import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { sqliteStore } from '#ehr-server/store/sqlite/store.ts';
import { openSqlite } from '#service/sqlite.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { buildSessions, openDatabases } from './databases.ts';
import { FAR_FUTURE_MS, patientIdOf, sessionTokenOf, tokenHash, userOf, userSignOf } from './identities.ts';

test('a built database is one that the EHR server knows', async () => {
  const file = join(temporaryFolder(), 'sessions.sqlite');
  await buildSessions(file, 1_237, () => undefined);
  const store = sqliteStore(openDatabase(file), { audit: true });
  onTestFinished(() => store.close());
  const link = (user: number) => ({
    user: userOf(user),
    patientId: patientIdOf(user),
    userSign: userSignOf(user),
  });
  const stored = (user: number) => store.findSession(tokenHash(sessionTokenOf(user)));
  for (const user of [0, 99, 1_236])
    expect(stored(user)).toEqual({ link: link(user), expiresAt: FAR_FUTURE_MS });
  expect(stored(1_237)).toBeUndefined();
  expect(store.findLink(userOf(99))).toEqual(link(99));
});

test('a database is built once and copied; it stays, all else goes', async () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'run', 'of-a-killed-run'), { recursive: true });
  const databases = openDatabases(directory, () => undefined);
  const [first, second] = [await databases.sessions(50), await databases.sessions(50)];
  expect(first).not.toBe(second);
  const copy = openSqlite(first);
  copy.exec('DELETE FROM sessions');
  copy.close();
  const count = (file: string) => openSqlite(file).prepare('SELECT count(*) FROM sessions').pluck().get();
  expect(count(await databases.sessions(50))).toBe(50);
  databases.close();
  expect(existsSync(second)).toBe(false);
  expect(readdirSync(directory)).toEqual(['sessions-50-layout-4.sqlite']);
});
