import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type MovableClock, manualClock } from '#protocol/time/clock.ts';
import { createLog } from '#service/process/log.ts';
import { startPurge } from '#service/process/purge.ts';
import { recordedLog } from '#service/process/testing-log.ts';
import { openSqlite } from '#service/sqlite.ts';
import { foreignFiles, placeForeign } from '#testing/foreign-files.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { CODE_RETENTION_MS, openStore, purgesOf, SESSION_RETENTION_MS } from './open-store.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { openSqliteStore } from './sqlite/store.ts';
import { addSession, addUser, onEachStore } from './testing.ts';

const HOUR_MS = 60 * 60_000;
const HASH = { salt: Buffer.from('s'), hash: Buffer.from('h') };

const newFile = () => join(folderInMemory(), 'nested', 'auth.sqlite');

test('a new file is for its owner alone', () => {
  const file = newFile();
  openSqliteStore(file).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a commit goes to the disk before it returns, and overwrites what it deletes', () => {
  const db = openDatabase(newFile());
  onTestFinished(() => void db.close());
  const pragmas = ['journal_mode', 'synchronous', 'secure_delete'];
  expect(pragmas.map((name) => db.pragma(name, { simple: true }))).toEqual(['wal', 2, 1]);
});

test('a store in memory makes no file', async () => {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  expect(() => store.check()).not.toThrow();
  expect(existsSync(':memory:')).toBe(false);
});

test('a file in use, of a newer version, or no database, is refused', () => {
  const file = newFile();
  const first = openSqliteStore(file);
  expect(() => openSqliteStore(file)).toThrow(
    /Failed to open the database .*: another process has it open\. Please stop that one/,
  );
  first.close();
  const db = openSqlite(file);
  db.pragma('user_version = 99');
  db.close();
  expect(() => openSqliteStore(file)).toThrow(
    /written by a newer version of this program \(schema 99, known is 2\)\. Please update/,
  );
  writeFileSync(file, 'this is no database at all, but a text long enough to be taken for one'.repeat(20));
  expect(() => openSqliteStore(file)).toThrow(
    /--database \(AUTH_DATABASE\) names a file that is no SQLite database\. .* Please name/,
  );
});

onEachStore('what ran out long ago is purged between requests, in batches; the rest stays', async (store) => {
  const clock = manualClock(0);
  addUser(store, 'anna');
  const add = (name: string, expiresAt: number) => addSession(store, name, expiresAt);
  store.atomically(() => {
    for (let row = 0; row < 1_200; row++) add(`old ${row}`, HOUR_MS);
    add('alive', 100 * SESSION_RETENTION_MS);
    add('ended', 100 * SESSION_RETENTION_MS);
    store.sessions.end(Buffer.from('ended'), HOUR_MS);
    add('expired of late', HOUR_MS + SESSION_RETENTION_MS);
    store.codes.put({ kind: 'phone', value: '1' }, HASH, 0, HOUR_MS);
    store.codes.put({ kind: 'phone', value: '2' }, HASH, 0, 2 * SESSION_RETENTION_MS);
  });
  const { log, lines } = recordedLog('info');
  const stop = startPurge({ purges: purgesOf(store), clock, log });
  await pass(clock, HOUR_MS + SESSION_RETENTION_MS);
  await untilLogged(lines, 1);
  // The old sessions, the ended one and a code.
  expect(lines).toMatchObject([{ purged: 1_202 }]);
  expect(store.sessions.find(Buffer.from('old 7'))).toBeUndefined();
  expect(store.sessions.find(Buffer.from('alive'))).toBeDefined();
  expect(store.sessions.find(Buffer.from('expired of late'))).toBeDefined();
  expect(store.codes.find({ kind: 'phone', value: '1' })).toBeUndefined();
  expect(store.codes.find({ kind: 'phone', value: '2' })).toBeDefined();
  // Purging goes on: the next round finds the rows that expired since.
  await pass(clock, 2 * SESSION_RETENTION_MS + CODE_RETENTION_MS);
  await untilLogged(lines, 2);
  expect(store.sessions.find(Buffer.from('expired of late'))).toBeUndefined();
  await stop();
});

onEachStore('a session is remembered 30 days, a code an hour, a sending a day', async (store) => {
  const DAY_MS = 24 * HOUR_MS;
  const clock = manualClock(0);
  addUser(store, 'anna');
  addSession(store, 'h', HOUR_MS);
  store.codes.put({ kind: 'phone', value: '1' }, HASH, 0, HOUR_MS);
  store.sendings.add(HASH.hash, HOUR_MS);
  const stop = startPurge({ purges: purgesOf(store), clock, log: createLog('auth-server', 'silent') });
  const known = () => [
    store.codes.find({ kind: 'phone', value: '1' }) !== undefined,
    store.sendings.since(HASH.hash, 0, HOUR_MS).count === 1,
    store.sessions.find(HASH.hash) !== undefined,
  ];
  /** Advance to a time, with a purge a minute before it and one at it. */
  const goTo = async (time: number) => {
    await pass(clock, time - clock.now() - 120_000);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    await pass(clock, 0);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };
  await goTo(2 * HOUR_MS);
  expect(known()).toEqual([true, true, true]);
  await goTo(2 * HOUR_MS + 5 * 60_000);
  expect(known()).toEqual([false, true, true]);
  await goTo(HOUR_MS + DAY_MS);
  expect(known()).toEqual([false, true, true]);
  await goTo(HOUR_MS + DAY_MS + 5 * 60_000);
  expect(known()).toEqual([false, false, true]);
  await goTo(HOUR_MS + 30 * DAY_MS);
  expect(known()).toEqual([false, false, true]);
  await goTo(HOUR_MS + 30 * DAY_MS + 5 * 60_000);
  expect(known()).toEqual([false, false, false]);
  await stop();
});

/** Let time pass, and a minute more, in which the next purge runs. */
async function pass(clock: MovableClock, ms: number): Promise<void> {
  clock.advance(ms);
  // A purge takes a few ticks of the event loop, and only then waits for the next minute.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  clock.advance(60_000);
}

async function untilLogged(lines: readonly unknown[], count: number): Promise<void> {
  while (lines.length < count) await new Promise(setImmediate);
}

proves(['T-file-9'], 'no phone, code or signature of the deleted stays in the file', () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const kept: string[] = [];
  const gone: string[] = [];
  for (let index = 0; index < 1_500; index++) {
    const value = `7999${String(index).padStart(7, '0')}`;
    const [user, sign, code] = [`u-${value}`, `sign-of-${value}`, `code-of-${value}`];
    const identity = { kind: 'phone', value } as const;
    store.atomically(() => {
      store.directory.ensureUser({ user, identity, internalId: `int-${value}`, now: 0 });
      store.directory.keepUserSign(user, sign);
      store.codes.put(identity, { salt: Buffer.alloc(16), hash: Buffer.from(code) }, 0, HOUR_MS);
      store.messages.add(identity, `Your code is ${code}.`, code, 0);
    });
    // This order makes SQLite rearrange and free pages.
    if (index >= 500 && index % 3 > 0) gone.push(`7999${String((index * 7_919) % 500).padStart(7, '0')}`);
    else if (index >= 500) kept.push(value);
  }
  for (const value of new Set(gone)) store.deleteUser(`u-${value}`);
  store.close();
  const text = readFileSync(file, 'latin1');
  expect(new Set(gone).size).toBeGreaterThan(300);
  expect([...new Set(gone)].filter((value) => text.includes(value))).toEqual([]);
  expect(kept.filter((value) => !text.includes(`sign-of-${value}`))).toEqual([]);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('a session is stored with its user’s internal id, if any', () => {
  const file = newFile();
  const store = openSqliteStore(file);
  addUser(store, 'anna');
  for (const internalId of ['int-anna', undefined]) addSession(store, `${internalId}`, 5, internalId);
  store.close();
  const db = openSqlite(file);
  onTestFinished(() => void db.close());
  const stored = db.prepare('SELECT internal_id FROM sessions ORDER BY internal_id').pluck().all();
  expect(stored).toEqual([null, 'int-anna']);
});

test('reads are answered while the file is away, changes refused', () => {
  const file = newFile();
  const store = openSqliteStore(file);
  onTestFinished(() => store.close());
  addUser(store, 'anna');
  renameSync(file, `${file}.away`);
  const { codes, directory, messages, sendings, sessions } = store;
  const [hash, identity] = [Buffer.from('hash'), { kind: 'login', value: 'anna' }] as const;
  const phone = { kind: 'phone', value: '79990000001' } as const;
  expect(directory.userOf(identity)).toBe('anna');
  expect(directory.identityOf('anna')).toEqual(identity);
  expect(directory.entryOf('anna')).toEqual({ internalId: 'int-anna', userSign: null });
  expect(directory.listEntries()).toHaveLength(1);
  expect([codes.find(phone), sessions.find(hash), messages.list(phone)]).toEqual([undefined, undefined, []]);
  expect(sendings.since(hash, 0, 1)).toEqual({ count: 0, last: null });
  for (const change of [
    () => directory.keepUserSign('anna', 'sign'),
    () => sendings.add(hash, 0),
    () => sessions.end(hash, 0),
    () => codes.consume(1),
    () => messages.remove(phone),
    () => store.deleteUser('anna'),
    () => store.check(),
  ])
    expect(change).toThrow('is not in its place');
});

test('a file without a possible directory is named with what to do', async () => {
  const notes = join(folderInMemory(), 'notes.txt');
  writeFileSync(notes, 'This is no directory.');
  const file = join(notes, 'auth.sqlite');
  await expect(openStore(file)).rejects.toThrow(
    new RegExp(
      `^Failed to open the database ${file}: E.*${notes}.*\\. Please check the path and its permissions`,
    ),
  );
});

for (const [what, foreign] of Object.entries(foreignFiles))
  proves(['T-file-10'], `a ${what} in --database is refused and stays as it is`, async () => {
    const { file, picture } = placeForeign(foreign);
    const before = picture();
    const { message } = await openStore(file).then(
      () => new Error('It was opened.'),
      (error: Error) => error,
    );
    expect(message).toContain(`Failed to open the database ${file}: --database (AUTH_DATABASE) names `);
    expect(message).toMatch(foreign.called);
    expect(picture()).toEqual(before);
  });
