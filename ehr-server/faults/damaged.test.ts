import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { storedIn } from '#testing/faults.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { ehrAlone, linkedEhr } from '#testing/worlds/linked-ehr.ts';
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
