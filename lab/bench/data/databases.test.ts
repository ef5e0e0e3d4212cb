import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { sqliteStore } from '#ehr-server/store/sqlite/store.ts';
import { openSqlite } from '#service/sqlite.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openDatabases } from './databases.ts';
import { FAR_FUTURE_MS, patientIdOf, sessionTokenOf, tokenHash, userOf, userSignOf } from './identities.ts';
import { buildSessions } from './sessions.ts';

test('a built database is one that the EHR server knows', async () => {
  const file = join(temporaryFolder(), 'sessions.sqlite');
  await buildSessions(file, 1_237);
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

test('a database is built once and copied; the copies go, it stays', async () => {
  const directory = temporaryFolder();
  const databases = openDatabases({ directory });
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

test('the next run removes what a killed one left, and nothing in use', () => {
  const directory = temporaryFolder();
  // No process has a number above the largest that systems assign.
  const [dead, alive] = [join(directory, 'run-99999999-a'), join(directory, `run-${process.pid}-b`)];
  for (const left of [dead, alive]) mkdirSync(left);
  openDatabases({ directory }).close();
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(alive)).toBe(true);
});

test('building stops when it is interrupted, and leaves nothing', async () => {
  const directory = temporaryFolder();
  const interrupt = new AbortController();
  const databases = openDatabases({
    directory,
    signal: interrupt.signal,
    onProgress: () => interrupt.abort(),
  });
  await expect(databases.sessions(100)).rejects.toThrow('aborted');
  databases.close();
  expect(readdirSync(directory)).toEqual([]);
});
