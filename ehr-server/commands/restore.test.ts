import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { linkedEhr, unlinkedEhr } from '#e2e/linked-ehr.ts';
import { anna, ivan } from '#e2e/people.ts';
import { reasonOf, resultOf } from '#e2e/wire.ts';
import { prepareMisSchema } from '../mis/schema.ts';
import { openDatabase } from '../store/open-database.ts';
import { migrate } from '../store/schema.ts';
import { filesIn, run, temporaryFolder } from './testing.ts';

const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';

function place() {
  const folder = temporaryFolder();
  const database = join(folder, 'ehr.sqlite');
  const copy = join(folder, 'copy.sqlite');
  return {
    folder,
    database,
    copy,
    backup: () => run(['backup', copy, '--database', database]),
    restore: (...flags: string[]) => run(['restore', copy, '--database', database, ...flags]),
    keptFiles: () => readdirSync(folder).filter((name) => name.includes('.before-restore-')),
  };
}

/** Two databases with the server's tables, told apart by a user. */
function twoDatabases() {
  const at = place();
  for (const [file, user] of [
    [at.database, 'present'],
    [at.copy, 'from-backup'],
  ] as const) {
    const db = openDatabase(file);
    migrate(db);
    db.prepare("INSERT INTO links (user, patient_id, user_sign) VALUES (?, 'p-1', 'sign')").run(user);
    db.close();
  }
  return at;
}

function usersIn(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true });
  const users = db.prepare('SELECT user FROM links').pluck().all();
  db.close();
  return users;
}

test('after a restore all is as it was when the backup was made', async () => {
  const { database, folder, backup, restore, keptFiles } = place();
  const env = { EHR_DATABASE: database };
  const before = await linkedEhr({ env });
  resultOf(await before.saveExchangeToken('pending', { user: 'u-ivan', token: 'token-ivan', ttl: 60 }));
  resultOf(await before.saveExchangeToken('used-before', { user: 'u-anna', token: 'token-2', ttl: 60 }));
  resultOf(await before.call(AUTHENTICATE, { exchangeToken: 'used-before', patientProperties: anna }));
  resultOf(await before.call('embedded_storage.remove_auth_info', {}, { user: 'u-anna', token: 'token-2' }));
  expect((await backup()).code).toBe(0);

  resultOf(await before.call(AUTHENTICATE, { exchangeToken: 'pending', patientProperties: ivan }));
  resultOf(await before.saveExchangeToken('after', { user: 'u-anna', token: 'token-3', ttl: 60 }));
  resultOf(await before.saveAuthInfo({ user: 'u-anna', token: 'token-4', ttl: 60 }, before.userSign));
  resultOf(await before.call('embedded_storage.remove_authentication', {}, before.cred));
  await before.ehr.stop();

  const { code, out } = await restore();
  expect(code).toBe(0);
  expect(out).toContain(`${database} is now as it was in `);
  expect(statSync(database).mode & 0o777).toBe(0o600);
  expect(filesIn(folder)).toEqual(['copy.sqlite', 'ehr.sqlite', ...keptFiles()]);

  const after = await unlinkedEhr({ env });
  const reasonFor = async (token: string, user = 'u-anna') => reasonOf(await after.call(GET, {}, { user, token }));
  // The session and the link that were there are there again, although the user has disconnected since.
  expect(resultOf(await after.call(GET, {}, before.cred)).userSign).toBe(before.userSign);
  // What was over when the backup was made is over; what came after it is gone.
  for (const token of ['token-2', 'token-3', 'token-4'])
    expect([token, await reasonFor(token)]).toEqual([token, 'not_authorized']);
  for (const exchangeToken of ['used-before', 'after']) {
    const reply = await after.call(AUTHENTICATE, { exchangeToken, patientProperties: anna });
    expect([exchangeToken, reasonOf(reply)]).toEqual([exchangeToken, 'exchange_token_unknown']);
  }
  expect(reasonOf(await after.saveAuthInfo({ user: 'u-anna', token: 'token-2', ttl: 60 }, before.userSign))).toBe(
    'token_already_stored',
  );
  // A restore rewinds single use: an exchange token that was used after the backup can be used again.
  expect(await reasonFor('token-ivan', 'u-ivan')).toBe('not_authorized');
  resultOf(await after.call(AUTHENTICATE, { exchangeToken: 'pending', patientProperties: ivan }));
  resultOf(await after.call(GET, {}, { user: 'u-ivan', token: 'token-ivan' }));
});

test('an exchange token that a restore brings back has run out after its ten minutes all the same', async () => {
  const { database, backup, restore } = place();
  const env = { EHR_DATABASE: database };
  const before = await linkedEhr({ env });
  resultOf(await before.saveExchangeToken('pending', { user: 'u-ivan', token: 'token-ivan', ttl: 60 }));
  await backup();
  resultOf(await before.call(AUTHENTICATE, { exchangeToken: 'pending', patientProperties: ivan }));
  await before.ehr.stop();
  await restore();
  const after = await unlinkedEhr({ env });
  after.clock.advance(10 * 60_000);
  const reply = await after.call(AUTHENTICATE, { exchangeToken: 'pending', patientProperties: ivan });
  expect(reasonOf(reply)).toBe('exchange_token_expired');
});

test('what was replaced is kept whole, with its audit, which says who logged out since', async () => {
  const { database, folder, backup, restore, keptFiles } = place();
  const { ehr, call, cred, clock } = await linkedEhr({ env: { EHR_DATABASE: database } });
  await backup();
  clock.advance(1_000);
  resultOf(await call('embedded_storage.remove_auth_info', {}, cred));
  await ehr.stop();
  const { out } = await restore();
  const [kept = ''] = keptFiles();
  expect(keptFiles()).toHaveLength(1);
  expect(kept).toMatch(/^ehr\.sqlite\.before-restore-20260115T090000000Z$/);
  const command = /npm run ehr -- (audit .* remove_auth_info)/.exec(out)?.[1] ?? '';
  expect(command).toContain(join(folder, kept));
  expect((await run(command.split(' '))).out).toMatch(/client of u-anna +embedded_storage.remove_auth_info/);
});

test('a database that is in use is not replaced, however little its user does', async () => {
  const { database, copy, folder, restore } = twoDatabases();
  for (const touch of ['SELECT 1 FROM links', 'BEGIN IMMEDIATE']) {
    const user = openDatabase(database);
    user.exec(touch);
    const { code, err } = await restore('--force');
    expect([code, err]).toEqual([1, expect.stringMatching(/is in use: .*Please stop it.*Nothing was changed/)]);
    user.close();
  }
  expect(usersIn(database)).toEqual(['present']);
  expect(filesIn(folder)).toEqual(['copy.sqlite', 'ehr.sqlite']);
  expect((await restore()).code).toBe(0);
  expect([usersIn(database), usersIn(copy)]).toEqual([['from-backup'], ['from-backup']]);
});

test('what a killed server left in its log is kept with the old file, and does not leak into the new one', async () => {
  const { database, folder, restore, keptFiles } = twoDatabases();
  const db = openDatabase(database);
  db.exec("INSERT INTO links (user, patient_id, user_sign) VALUES ('in-the-log', 'p-2', 'sign')");
  // As SIGKILL leaves it: the log is not written into the file.
  const left = join(folder, 'left');
  for (const suffix of ['', '-wal']) copyFileSync(database + suffix, left + suffix);
  db.close();
  for (const suffix of ['', '-wal']) copyFileSync(left + suffix, database + suffix);
  expect(statSync(`${database}-wal`).size).toBeGreaterThan(0);
  expect((await restore()).code).toBe(0);
  expect(usersIn(database)).toEqual(['from-backup']);
  expect(keptFiles()).toHaveLength(1);
  expect(usersIn(join(folder, keptFiles()[0] ?? '')).sort()).toEqual(['in-the-log', 'present']);
});

test('a damaged database is replaced with --force alone, and kept with its log', async () => {
  const { database, folder, restore, keptFiles } = twoDatabases();
  writeFileSync(database, 'this was a database once, before something wrote all over its first page of it');
  writeFileSync(`${database}-wal`, 'and its log');
  expect(await restore()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not a database.*--force.*Nothing was changed/),
  });
  expect(readFileSync(database, 'utf8')).toContain('was a database once');
  expect((await restore('--force')).code).toBe(0);
  expect(usersIn(database)).toEqual(['from-backup']);
  expect(
    keptFiles()
      .map((file) => readFileSync(join(folder, file), 'utf8').slice(0, 11))
      .sort(),
  ).toEqual(['and its log', 'this was a ']);
});

test('where there is no database, a restore makes one', async () => {
  const { copy } = twoDatabases();
  const made = join(temporaryFolder(), 'new.sqlite');
  const { code, out } = await run(['restore', copy, '--database', made]);
  expect([code, usersIn(made)]).toEqual([0, ['from-backup']]);
  expect(out).not.toContain('kept');
});

test('a database that a newer version has written gives way to a backup that this one knows', async () => {
  const { database, restore } = twoDatabases();
  const db = new Sqlite(database);
  db.pragma('user_version = 999');
  db.close();
  expect((await restore()).code).toBe(0);
  expect(usersIn(database)).toEqual(['from-backup']);
});

test('a backup that cannot be used changes nothing', async () => {
  const { database, copy, folder, restore } = twoDatabases();
  const refused = async (fact: string | RegExp) => {
    const { code, out, err } = await restore('--force');
    expect([code > 0, out, err]).toEqual([true, '', expect.stringMatching(fact)]);
    expect(usersIn(database)).toEqual(['present']);
    expect(filesIn(folder)).toEqual(['copy.sqlite', 'ehr.sqlite']);
  };
  const whole = readFileSync(copy);
  const db = new Sqlite(copy);
  db.pragma('user_version = 999');
  const rootPage = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sessions_by_expiry'")
    .pluck()
    .get() as number;
  db.close();
  await refused(/schema 999, known is \d+/);
  writeFileSync(copy, Buffer.from(whole).fill(0xff, (rootPage - 1) * 4_096, rootPage * 4_096));
  await refused('did not pass its check');
  writeFileSync(copy, whole.subarray(0, whole.length / 2));
  await refused(/malformed|did not pass/);
  writeFileSync(copy, 'something else, which is long enough to be looked at as a database file at all');
  await refused('file is not a database');
});

test('patients alone do not take the place of sessions, nor the other way round', async () => {
  const { database, copy, folder } = twoDatabases();
  const patients = join(folder, 'patients.sqlite');
  const db = openDatabase(patients);
  prepareMisSchema(db);
  db.close();
  const wrong = await run(['restore', patients, '--database', database]);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining(`${database} holds sessions`) });
  expect((await run(['restore', copy, '--database', patients])).err).toContain('holds patients');
  expect(usersIn(database)).toEqual(['present']);
});

test('a restore is refused for what is no backup of a file', async () => {
  const { database, copy, folder } = twoDatabases();
  const missing = join(folder, 'missing.sqlite');
  expect((await run(['restore', missing, '--database', database])).err).toContain('There is no database');
  expect(existsSync(missing)).toBe(false);
  expect((await run(['restore', database, '--database', database])).err).toContain('is the database itself');
  const postgres = await run(['restore', copy, '--database', 'postgres://ehr:secret-word@db/ehr']);
  expect(postgres).toMatchObject({ code: 2, err: expect.stringContaining(`pg_restore --clean --if-exists`) });
  expect(postgres.err).not.toContain('secret-word');
});
