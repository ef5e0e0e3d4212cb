import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import { linkedOnFile } from '#testing/faults/linked-on-file.ts';
import { INTERNAL_ERROR, startSubject, storedIn } from '#testing/faults/subject.ts';
import { testEnvironment } from '#testing/fixtures.ts';
import { killParty, launchParty } from '#testing/programs/processes.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { callerOf } from '#testing/wire.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const SUFFIXES = ['', '-wal', '-shm'];

/** What an operator's mistake does to the files of a database, and how to undo it where that is possible. */
const SLIPS: Record<string, { slip(file: string): void; back?(file: string): void }> = {
  moved: { slip: (file) => move(file, `${file}.away`), back: (file) => move(`${file}.away`, file) },
  'moved without what is beside it': {
    slip: (file) => renameSync(file, `${file}.away`),
    back: (file) => renameSync(`${file}.away`, file),
  },
  replaced: {
    slip(file) {
      copyFileSync(file, `${file}.copy`);
      move(file, `${file}.away`);
      renameSync(`${file}.copy`, file);
    },
    back(file) {
      rmSync(file);
      move(`${file}.away`, file);
    },
  },
  deleted: {
    slip(file) {
      for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true });
    },
  },
};

function move(from: string, to: string): void {
  for (const suffix of SUFFIXES) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

for (const [what, { slip, back }] of Object.entries(SLIPS))
  test(`a server whose EHR database is ${what} acknowledges nothing${back ? ', until it is back' : ''}`, async () => {
    const { file, save, read, page, told } = await linkedOnFile();
    const readiness = () => page('/readyz');
    expect([await save('before'), await readiness()]).toEqual(['ok', 200]);
    slip(file);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, n) => save(`refused-${n}`)));
    expect(new Set(outcomes)).toEqual(new Set(['internal_error']));
    expect([await read(), await readiness(), await save('still'), await readiness()]).toEqual([
      'internal_error',
      503,
      'internal_error',
      503,
    ]);
    expect(told(`the database ${file} is not in its place: it was deleted, moved or replaced`)).toHaveLength(
      1,
    );
    if (!back) return;
    back(file);
    expect([await readiness(), await save('after'), await read()]).toEqual([200, 'ok', 'ok']);
    expect(told(`the database ${file} is in its place again`)).toHaveLength(1);
    expect(storedIn(file, ['before', 'refused-0', 'still', 'after'])).toEqual(['before', 'after']);
  });

test('an EHR server with a database cut short answers errors and lives', async () => {
  for (const part of [0, 0.5]) {
    const { file, child, save, read, page, complaints } = await startSubject({ folder: temporaryFolder() });
    expect([await save(), await read()]).toEqual(['ok', 'ok']);
    // Copies everything from the log beside it into the main file.
    const other = openDatabase(file);
    other.pragma('wal_checkpoint(PASSIVE)');
    other.close();
    expect(await save()).toBe('ok');
    truncateSync(file, Math.floor(statSync(file).size * part));
    const outcomes = await Promise.all([save(), save(), read(), read('unknown')]);
    expect(outcomes.slice(0, 3)).toEqual(Array(3).fill(INTERNAL_ERROR));
    expect([await save(), await page('/readyz'), await page('/healthz')]).toEqual([INTERNAL_ERROR, 503, 200]);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    const told = complaints().filter(({ msg }) => msg.includes(`the database ${file} was cut short`));
    expect(told).toHaveLength(1);
  }
});

test('an EHR server with patients cut short answers errors and lives', async () => {
  const folder = temporaryFolder();
  const { patients, child, read, page } = await startSubject({ folder });
  // While the log beside the file has content, SQLite trusts the length that the log states.
  const other = openDatabase(patients);
  onTestFinished(() => void other.close());
  other.exec('CREATE TABLE beside (id INTEGER)');
  expect(await read()).toBe('ok');
  truncateSync(patients, 4_096);
  expect([await read(), await page('/readyz')]).toEqual([INTERNAL_ERROR, 503]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
});

for (const [what, { slip, back }] of Object.entries(SLIPS))
  test(`an authorization server whose database is ${what} sends no code that counts`, async () => {
    const { call, page, file } = await startAuth();
    const request = async (phone: string) =>
      (await call('auth.request_otp', { phone })).error?.data.reason ?? 'ok';
    expect([await request('79990000001'), await page('/readyz')]).toEqual(['ok', 200]);
    slip(file);
    expect([await request('79990000002'), await page('/readyz')]).toEqual(['internal_error', 503]);
    // Calls that only read are still answered.
    expect(await page('/outbox')).toBe(200);
    if (!back) return;
    back(file);
    expect([await page('/readyz'), await request('79990000002')]).toEqual([200, 'ok']);
  });

test('an authorization server with a database cut short answers errors and lives', async () => {
  const { call, page, file, child } = await startAuth();
  truncateSync(file, 0);
  expect((await call('auth.request_otp', { phone: '79990000001' })).error?.data.reason).toBe(
    'internal_error',
  );
  expect([await page('/readyz'), await page('/healthz')]).toEqual([503, 200]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
});

async function startAuth() {
  const file = join(temporaryFolder(), 'auth.sqlite');
  const { child, urls } = await launchParty('mock-auth-server/main.ts', {
    ...testEnvironment,
    AUTH_DATABASE: file,
  });
  onTestFinished(() => killParty(child));
  const url = urls[0] as string;
  return {
    file,
    child,
    call: callerOf<typeof authMethods>(`${url}/`),
    page: async (path: string) => (await fetch(url + path)).status,
  };
}
