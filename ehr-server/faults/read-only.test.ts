import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { loadSqlite } from '#service/sqlite.ts';
import { linkedOnFile, startSubject, storedIn } from '#testing/faults.ts';
import { populate } from '#testing/programs/processes.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { openStore } from '../store/open-store.ts';

/**
 * File modes do not apply to root. A server started by root drops the right to override them; it can still
 * read the project.
 */
const bound = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override', '--'];
const boundByModes = process.getuid?.() === 0 ? bound : [];

test('a server does not start on a file that it may not write', async () => {
  const folder = folderInMemory();
  const file = join(folder, 'ehr.sqlite');
  await (await openStore({ database: file, audit: true })).close();
  chmodSync(file, 0o444);
  await expect(startSubject({ folder, through: boundByModes })).rejects.toThrow(
    new RegExp(
      `Failed to open the database ${file}: it cannot be written. Please give the account .* write access`,
    ),
  );
});

test('a server does not start in a directory that it may not write', async () => {
  for (const isThere of [true, false]) {
    const folder = folderInMemory();
    const file = join(folder, 'ehr.sqlite');
    if (isThere) populate(file);
    chmodSync(folder, 0o555);
    await expect(startSubject({ folder, through: boundByModes })).rejects.toThrow(
      new RegExp(`Failed to open the database ${file}: .*Please (?:check|give)`),
    );
    chmodSync(folder, 0o755);
  }
});

test('modes taken away while the server runs change nothing for open files', async () => {
  const folder = folderInMemory();
  const { file, save, page, acknowledged } = await startSubject({ folder, through: boundByModes });
  for (const end of ['', '-wal', '-shm']) chmodSync(file + end, 0o444);
  chmodSync(folder, 0o555);
  expect([await save(), await save(), await page('/readyz')]).toEqual(['ok', 'ok', 200]);
  expect(storedIn(file, acknowledged)).toEqual(acknowledged);
  chmodSync(folder, 0o755);
});

test('a database that becomes read-only fails changes until it is writable', async () => {
  const opened = vi.spyOn(loadSqlite().prototype, 'pragma');
  const { file, save, page, told } = await linkedOnFile('warn');
  const connections = opened.mock.contexts as Database[];
  const database = connections.find(({ name }) => name === file) as Database;
  const tokens = Array.from({ length: 50 }, (_, n) => `refused-${n}`);
  database.pragma('query_only = ON');
  expect(new Set(await Promise.all(tokens.map(save)))).toEqual(new Set(['internal_error']));
  expect(await page('/readyz')).toBe(503);
  expect(told('fails calls')).toMatchObject([
    { msg: expect.stringMatching(`${file} fails calls: it cannot be written. Please give`) },
  ]);
  expect(storedIn(file, tokens)).toEqual([]);
  database.pragma('query_only = OFF');
  expect([await save('saved'), await page('/readyz')]).toEqual(['ok', 200]);
  expect(storedIn(file, ['saved'])).toEqual(['saved']);
});
