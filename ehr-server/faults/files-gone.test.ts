import { existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import { INTERNAL_ERROR, linkedOnFile, startSubject, storedIn } from '#testing/faults.ts';
import { testEnvironment } from '#testing/fixtures.ts';
import { launchParty } from '#testing/programs/processes.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { callerOf } from '#testing/wire.ts';
import { openStore } from '../store/open-store.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const SUFFIXES = ['', '-wal', '-shm'];

/** What an operator's mistake does to the files of a database, and how to undo it where that is possible. */
const SLIPS: Record<string, { slip(file: string): void; back?(file: string): void }> = {
  moved: { slip: (file) => move(file, `${file}.away`), back: (file) => move(`${file}.away`, file) },
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
  const { file, child, save, read, page, complaints } = await startSubject({ folder: folderInMemory() });
  expect([await save(), await read()]).toEqual(['ok', 'ok']);
  checkpoint(file);
  expect(await save()).toBe('ok');
  truncateSync(file, Math.floor(statSync(file).size / 2));
  const outcomes = await Promise.all([save(), save(), read(), read('unknown')]);
  expect(outcomes.slice(0, 3)).toEqual(Array(3).fill(INTERNAL_ERROR));
  expect([await save(), await page('/readyz'), await page('/healthz')]).toEqual([INTERNAL_ERROR, 503, 200]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  const told = complaints().filter(({ msg }) => msg.includes(`the database ${file} was cut short`));
  expect(told).toHaveLength(1);
});

test('an EHR server with patients cut short answers errors and lives', async () => {
  const folder = folderInMemory();
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

type Subject = Awaited<ReturnType<typeof startSubject>>;

/** Ends a server as an operator does, and returns its exit code. */
const stopped = async ({ stop }: Subject) => (await stop()).code;

/** Copies all that is in the log into the file, beside the running server. */
function checkpoint(file: string): void {
  const other = openDatabase(file);
  other.pragma('wal_checkpoint(PASSIVE)');
  other.close();
}

function integrityOf(file: string): unknown {
  const db = openDatabase(file);
  try {
    return db.pragma('integrity_check', { simple: true });
  } finally {
    db.close();
  }
}

const told = ({ complaints }: Subject, text: string) => complaints().filter(({ msg }) => msg.includes(text));

for (const part of [0, 0.5])
  proves(['T-file-11'], `a log cut to ${part * 100} % lets no later save be acknowledged`, async () => {
    const subject = await startSubject({ folder: folderInMemory() });
    const { file, save, read, page, acknowledged } = subject;
    expect(await save()).toBe('ok');
    // After that the second half of the log would be what SQLite needs no more.
    if (part === 0) checkpoint(file);
    const inFile = [...acknowledged];
    expect([await save(), await read(), await page('/readyz')]).toEqual(['ok', 'ok', 200]);
    truncateSync(`${file}-wal`, Math.floor(statSync(`${file}-wal`).size * part));
    const outcomes = await Promise.all([save(), save(), read()]);
    expect(outcomes).toEqual(Array(3).fill(INTERNAL_ERROR));
    expect([await save(), await page('/readyz'), await page('/healthz')]).toEqual([INTERNAL_ERROR, 503, 200]);
    expect(told(subject, `${file}-wal, was cut short`)).toHaveLength(1);
    expect(await stopped(subject)).toBe(0);
    expect(integrityOf(file)).toBe('ok');
    if (part === 0) expect(storedIn(file, acknowledged)).toEqual(inFile);
  });

proves(['T-file-11', 'T-file-12'], 'a second server is kept off a file, but not after a kill', async () => {
  const { file, save, stop, acknowledged } = await startSubject({ folder: folderInMemory() });
  const start = () => openStore({ database: file, audit: true });
  for (const has of [true, false]) {
    if (!has) rmSync(`${file}-shm`);
    await expect(start()).rejects.toThrow(
      `Failed to open the database ${file}: another EHR server uses it. Please stop that one`,
    );
    expect(await save()).toBe(has ? 'ok' : INTERNAL_ERROR);
  }
  await stop('SIGKILL');
  await (await start()).close();
  // Nothing is lost, though the index of the log was deleted.
  expect(storedIn(file, acknowledged)).toEqual(acknowledged);
});

proves(['T-file-11'], 'an authorization server whose log is cut sends no code that counts', async () => {
  const file = join(folderInMemory(), 'auth.sqlite');
  const { stop, urls } = await launchParty('mock-auth-server/main.ts', {
    ...testEnvironment,
    AUTH_DATABASE: file,
  });
  const call = callerOf<typeof authMethods>(`${urls[0]}/`);
  const request = async (phone: string) =>
    (await call('auth.request_otp', { phone })).error?.data.reason ?? 'ok';
  expect(await request('79990000001')).toBe('ok');
  truncateSync(`${file}-wal`, Math.floor(statSync(`${file}-wal`).size / 2));
  expect([await request('79990000002'), (await fetch(`${urls[0]}/readyz`)).status]).toEqual([
    'internal_error',
    503,
  ]);
  await stop();
  expect(integrityOf(file)).toBe('ok');
});
