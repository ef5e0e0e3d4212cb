import { expect, test } from 'vitest';
import { MAX_PENDING_EXCHANGE_TOKENS } from '#protocol/limits.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { attempt, link, NOW, saveToken, session, use } from '#testing/store-steps.ts';
import { openDatabase } from './open-database.ts';
import { SCHEMA_VERSION, steps } from './schema.ts';
import { sqliteStore } from './store.ts';

/** A database as the version with this many steps has left it. */
function databaseOf(version: number) {
  const db = openDatabase(':memory:');
  for (const step of steps.slice(0, version)) db.exec(step);
  db.pragma(`user_version = ${version}`);
  return db;
}

test('upgraded sessions belong to the user’s link, ended ones to none', async () => {
  // In version 2 a session named its user, and `ended` said whether it had ended.
  const db = databaseOf(2);
  const insertLink = db.prepare('INSERT INTO links (user, patient_id, user_sign) VALUES (?, ?, ?)');
  for (const user of ['v', 'u']) insertLink.run(user, `p-${user}`, `sign-${user}`);
  const insertSession = db.prepare(
    `INSERT INTO sessions (token_hash, record_id, user, stored_at, expires_at, created, recorded, ended)
     VALUES (?, ?, ?, 0, ?, NULL, ?, ?)`,
  );
  insertSession.run(hashToken('of-u'), 'r-1', 'u', 1_000, 0, 0);
  insertSession.run(hashToken('of-v'), 'r-2', 'v', 2_000, 1, 0);
  insertSession.run(hashToken('logged-out'), 'r-3', '', 3_000, 1, 1);
  const store = sqliteStore(db);
  expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
  const linkOf = (user: string) => ({ user, patientId: `p-${user}`, userSign: `sign-${user}` });
  expect(await store.findSession(hashToken('of-u'))).toEqual({ link: linkOf('u'), expiresAt: 1_000 });
  expect(await store.findSession(hashToken('of-v'))).toEqual({ link: linkOf('v'), expiresAt: 2_000 });
  expect(await store.findSession(hashToken('logged-out'))).toBeUndefined();
  expect(await store.findLink('v')).toEqual(linkOf('v'));
  const again = (token: string, recordId: string) =>
    store.saveSession(session('u', token, { recordId }), 'sign-u', 1, { mayRecord: true });
  expect(await again('logged-out', 'r-4')).toEqual({ refused: 'token_already_stored' });
  expect(await again('of-v', 'r-4')).toEqual({ refused: 'token_already_stored' });
  // A session that was not recorded yet can be recorded now, under its own id.
  expect(await again('of-u', 'r-4')).toEqual({ id: 'r-1' });
  expect(await store.purge(4_000, 10)).toBe(3);
  await store.close();
});

test('exchange tokens keep their order, their failures and their use in the upgrade', async () => {
  // In version 5 the column `seq` gave the order, and now the id of the row does.
  const db = databaseOf(5);
  const insertToken = db.prepare(
    `INSERT INTO exchange_tokens
       (hash, record_id, user, session_hash, session_lifetime, session_created, expires_at, failures, used, seq)
     VALUES (?, 'r', 'u', ?, 90, '2026-01-15', ?, ?, ?, ?)`,
  );
  const save = (name: string, of: string, seq: number, { failures = 0, used = 0 } = {}) =>
    insertToken.run(hashToken(name), hashToken(of), NOW + 9, failures, used, seq);
  for (let seq = MAX_PENDING_EXCHANGE_TOKENS; seq > 0; seq--) save(`x-${seq}`, 't', seq);
  save('failed', 'of-failed', 1, { failures: 99 });
  save('used', 'of-used', 1, { used: 1 });
  const store = sqliteStore(db);
  const refusalOf = (name: string) => store.refusalOf(attempt(name));
  expect(await refusalOf('x-1')).toBeUndefined();
  await saveToken(store, 'one-more', 'u', 't');
  expect(await refusalOf('x-1')).toBe('exchange_token_unknown');
  expect(await refusalOf('x-2')).toBeUndefined();
  expect(await refusalOf('failed')).toBe('exchange_token_exhausted');
  expect(await refusalOf('used')).toBe('exchange_token_unknown');
  await use(store, 'x-2', 'p');
  expect(db.prepare('SELECT created, expires_at FROM sessions').get()).toEqual({
    created: '2026-01-15',
    expires_at: NOW + 90,
  });
  await store.close();
});

test('only the token, record id and times of an ended session remain', async () => {
  const db = openDatabase(':memory:');
  const store = sqliteStore(db);
  await link(store, 'u', 'p', 'kept');
  const created = { created: '2026-01-15', lifetime: 90 };
  await store.saveSession(session('u', 'ended', created), 'sign-p', NOW, { mayRecord: true });
  await store.saveSession(session('u', 'alive', created), 'sign-p', NOW, { mayRecord: true });
  await store.removeSession(hashToken('ended'), 'u', NOW + 7);
  const row = (token: string) =>
    db.prepare('SELECT * FROM sessions WHERE token_hash = ?').get(hashToken(token));
  const stored = {
    record_id: 'r-ended',
    stored_at: NOW,
    recorded: 1,
    token_hash: Buffer.from(hashToken('ended')),
  };
  expect(row('ended')).toEqual({ ...stored, link: null, created: null, expires_at: NOW + 7 });
  expect(row('alive')).toMatchObject({ link: 1, created: '2026-01-15', expires_at: NOW + 90 });
  await store.close();
});
