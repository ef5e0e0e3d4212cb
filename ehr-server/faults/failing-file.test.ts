import { chmodSync, closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { linkedOnFile, startSubject, storedIn } from '#testing/faults.ts';
import { populate } from '#testing/programs/processes.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { ehrAlone, linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { openStore } from '../store/open-store.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const SESSION_COUNT = 150;

/** Starts a server on a file and saves many sessions. */
async function filled(file: string, lines: string[] = []) {
  const ehr = await linkedEhr({
    env: { EHR_DATABASE: file },
    mayFail: true,
    logTo: { level: 'warn', write: (line) => lines.push(line) },
  });
  const tokens = Array.from({ length: SESSION_COUNT }, (_, n) => `saved-${n}`);
  for (const reply of await Promise.all(
    tokens.map((token) => ehr.saveAuthInfo({ ...ehr.authInfo, token }, ehr.userSign)),
  ))
    expect(reply.error).toBeUndefined();
  return { ehr, tokens };
}

/** Overwrites one page in the middle of the sessions table, from outside the server. */
function damageSessions(file: string): void {
  const db = openDatabase(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const size = db.pragma('page_size', { simple: true }) as number;
  const page = db
    .prepare(
      "SELECT pageno FROM dbstat WHERE name = 'sessions' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 1",
    )
    .pluck()
    .get() as number;
  db.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

test('a damaged page fails the calls that need it and no others', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const { ehr, tokens } = await filled(file);
  await ehr.ehr.stop();
  damageSessions(file);
  // What lasts is told again after ten seconds, and a busy machine takes them.
  vi.spyOn(systemClock, 'now').mockReturnValue(systemClock.now());
  const lines: string[] = [];
  const after = await ehrAlone({
    env: { EHR_DATABASE: file },
    mayFail: true,
    logTo: { level: 'warn', write: (line) => lines.push(line) },
  });
  const readiness = async () => (await fetch(`${after.ehr.url}/readyz`)).status;
  const outcomes = await Promise.all(
    tokens.map(
      async (token) =>
        (await after.call('patient.get_patient', {}, { ...ehr.cred, token })).error?.data.reason,
    ),
  );
  const failed = outcomes.filter((reason) => reason === 'internal_error').length;
  // A session that cannot be read is never reported as missing.
  expect(new Set(outcomes)).toEqual(new Set([undefined, 'internal_error']));
  expect(failed).toBeGreaterThan(0);
  expect(failed).toBeLessThan(SESSION_COUNT / 2);
  expect(await readiness()).toBe(503);
  // Sessions saved on sound pages of the file are stored, but the server stays not ready.
  const saves = Array.from({ length: 20 }, (_, n) => `later-${n}`);
  const saved = await Promise.all(
    saves.map(
      async (token) => (await after.saveAuthInfo({ ...ehr.authInfo, token }, ehr.userSign)).result && token,
    ),
  );
  const acknowledged = saved.filter((token) => token !== undefined);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(await readiness()).toBe(503);
  const told = lines.map((line) => JSON.parse(line).msg as string);
  expect(told.filter((line) => line.includes('it is damaged. Please stop the server'))).toEqual([
    expect.stringContaining(file),
  ]);
  expect(told.length).toBeLessThan(4);
  await after.ehr.stop();
  expect(storedIn(file, acknowledged)).toEqual(acknowledged);
});

test('a lock held too long fails the waiting changes, and is told once', async () => {
  const { file, save, read, page, told } = await linkedOnFile();
  // The first page takes longer to load.
  expect(await page('/healthz')).toBe(200);
  const other = openDatabase(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const tokens = Array.from({ length: 20 }, (_, n) => `refused-${n}`);
  const outcomes = await Promise.all([...tokens.map(save), read()]);
  expect(new Set(outcomes)).toEqual(new Set(['internal_error']));
  expect(await page('/readyz')).toBe(503);
  const [line, ...more] = told('fails calls: another process holds its lock. Please end that one');
  expect([line.msg.includes(file), line.err.errorCode, more]).toEqual([true, 'SQLITE_BUSY', []]);
  other.exec('ROLLBACK');
  await expect.poll(() => page('/readyz')).toBe(200);
  expect([await save('saved'), await read()]).toEqual(['ok', 'ok']);
  expect(storedIn(file, [...tokens, 'saved'])).toEqual(['saved']);
});

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
