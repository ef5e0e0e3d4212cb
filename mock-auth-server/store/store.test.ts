import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type MovableClock, manualClock } from '#protocol/clock.ts';
import { createLog } from '#service/log.ts';
import { startPurge } from '#service/purge.ts';
import { CODE_RETENTION, purgesOf, SESSION_RETENTION } from './retention.ts';
import { openStore, type Store } from './store.ts';

const HOUR = 60 * 60_000;

function newFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'auth-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'nested', 'auth.sqlite');
}

function addUser({ atomically, directory }: Store, user: string): void {
  atomically(() =>
    directory.ensureUser({ user, identity: { kind: 'login', value: user }, internalId: `int-${user}`, now: 0 }),
  );
}

test('what was stored is there when the file is opened again', () => {
  const file = newFile();
  const first = openStore(file);
  addUser(first, 'anna');
  first.directory.keepUserSign('anna', 'sign');
  first.sessions.add({
    tokenHash: Buffer.from('hash'),
    user: 'anna',
    internalId: 'int-anna',
    createdAt: 0,
    expiresAt: 5,
  });
  first.close();
  const second = openStore(file);
  expect(second.directory.entryOf('anna')).toEqual({ internalId: 'int-anna', userSign: 'sign' });
  expect(second.sessions.find(Buffer.from('hash'))).toEqual({ user: 'anna', expiresAt: 5 });
  second.close();
});

test('a new file is for its owner alone', () => {
  const file = newFile();
  openStore(file).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a commit goes to the disk before it returns', () => {
  const file = newFile();
  openStore(file).close();
  const db = new Sqlite(file);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test('a transaction that throws changes nothing', () => {
  const store = openStore(':memory:');
  const failing = () =>
    store.atomically(() => {
      store.directory.ensureUser({
        user: 'anna',
        identity: { kind: 'login', value: 'anna' },
        internalId: 'int',
        now: 0,
      });
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(store.directory.identityOf('anna')).toBeUndefined();
  store.close();
});

test('a file that another process has open, that is no database, or that is newer than the program is refused in one sentence', () => {
  const file = newFile();
  const first = openStore(file);
  expect(() => openStore(file)).toThrow(
    /Failed to open the database .*: another process has it open\. Please stop that one/,
  );
  first.close();
  const db = new Sqlite(file);
  db.pragma('user_version = 99');
  db.close();
  expect(() => openStore(file)).toThrow(
    /written by a newer version of this program \(schema 99, known is 1\)\. Please update/,
  );
  writeFileSync(file, 'this is no database at all, but a text long enough to be taken for one'.repeat(20));
  expect(() => openStore(file)).toThrow(/file is not a database\. Please check the path/);
});

test('what ran out long ago is purged between requests, in batches, and the rest stays', async () => {
  const store = openStore(':memory:');
  const clock = manualClock(0);
  addUser(store, 'anna');
  const add = (name: string, expiresAt: number) =>
    store.sessions.add({ tokenHash: Buffer.from(name), user: 'anna', internalId: undefined, createdAt: 0, expiresAt });
  store.atomically(() => {
    for (let row = 0; row < 1_200; row++) add(`old ${row}`, HOUR);
    add('alive', 100 * SESSION_RETENTION);
    add('ended', 100 * SESSION_RETENTION);
    store.sessions.end(Buffer.from('ended'), HOUR);
    add('expired of late', HOUR + SESSION_RETENTION);
    store.codes.put({ kind: 'phone', value: '1' }, { salt: Buffer.from('s'), hash: Buffer.from('h') }, 0, HOUR);
    store.codes.put(
      { kind: 'phone', value: '2' },
      { salt: Buffer.from('s'), hash: Buffer.from('h') },
      0,
      2 * SESSION_RETENTION,
    );
  });
  const lines: string[] = [];
  const log = createLog('auth-server', 'info', { write: (line) => void lines.push(line) });
  const stop = startPurge({ purges: purgesOf(store), clock, log });
  await pass(clock, HOUR + SESSION_RETENTION);
  await untilLogged(lines, 1);
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ purged: 1_202 });
  expect(store.sessions.find(Buffer.from('old 7'))).toBeUndefined();
  expect(store.sessions.find(Buffer.from('alive'))).toBeDefined();
  expect(store.sessions.find(Buffer.from('expired of late'))).toBeDefined();
  expect(store.codes.find({ kind: 'phone', value: '1' })).toBeUndefined();
  expect(store.codes.find({ kind: 'phone', value: '2' })).toBeDefined();
  // It goes on: the next round finds what has run out since.
  await pass(clock, 2 * SESSION_RETENTION + CODE_RETENTION);
  await untilLogged(lines, 2);
  expect(store.sessions.find(Buffer.from('expired of late'))).toBeUndefined();
  await stop();
  store.close();
});

/** Lets time pass, and a minute more, in which the next purge comes. */
async function pass(clock: MovableClock, ms: number): Promise<void> {
  clock.advance(ms);
  // A purge takes a few turns of the event loop, and only then waits for the next minute.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  clock.advance(60_000);
}

async function untilLogged(lines: readonly string[], count: number): Promise<void> {
  while (lines.length < count) await new Promise(setImmediate);
}
