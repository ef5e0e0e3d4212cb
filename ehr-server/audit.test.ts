import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { anna, ivan } from '#testing/people.ts';
import { untilPurged } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { type EhrAloneOptions, linkedEhr } from '#testing/worlds/linked-ehr.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const EXCHANGE = 'embedded_storage.save_exchange_token';
const GET = 'patient.get_patient';
const LOG_OUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';

type AuditLine = [action: string, user: string, patient: string | null, outcome: string];

/**
 * A server with a linked user, on a file, and its audit as another process sees it. `rows` leaves out the
 * entries of the linking.
 */
async function auditedEhr(options: EhrAloneOptions = {}) {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const ehr = await linkedEhr({ ...options, env: { EHR_DATABASE: file, ...options.env } });
  const db = openSqlite(file);
  onTestFinished(() => void db.close());
  const all = db
    .prepare<[], AuditLine>('SELECT action, user_id, patient_id, outcome FROM audit ORDER BY id')
    .raw();
  return { ...ehr, db, all: () => all.all(), rows: () => all.all().slice(2) };
}

test('a call refused before its caller is known writes nothing', async () => {
  const { rows, call, cred, clock, mis, post, ...ehr } = await auditedEhr();
  const { userSign, authInfo, saveAuthInfo, saveExchangeToken, toInternal, authenticate } = ehr;
  const wrong = { user: 'u-anna', token: 'wrong' };
  const refusals = [
    await call(GET, {}, wrong),
    await call(LOG_OUT, {}, wrong),
    await call(DISCONNECT, {}, wrong),
    await call(GET),
    await saveAuthInfo(authInfo, 'wrong'),
    await saveAuthInfo({ ...authInfo, user: 'u-unknown' }, userSign),
    await toInternal(EXCHANGE, { exchangeToken: 'x', authInfo }, wrong),
    await saveExchangeToken('x', { ...authInfo, ttl: 'long' }),
    await authenticate('never-stored', anna),
    await post({ jsonrpc: '2.0', id: 1, method: 'no.such.method' }),
  ];
  const found = mis.record;
  mis.record = () => undefined;
  refusals.push(await call(GET, {}, cred));
  mis.record = found;
  clock.advance(60 * MINUTE_MS);
  refusals.push(await call(GET, {}, cred));
  expect(refusals.map(reasonOf)).toEqual([
    ...Array(4).fill('not_authorized'),
    ...['not_authorized', 'user_unknown', 'not_authorized', 'invalid_params'],
    ...['exchange_token_unknown', 'method_not_found', 'patient_not_matched', 'session_expired'],
  ]);
  expect(rows()).toEqual([]);
});

test('entries are purged after their retention and not before, whatever the clock does', async () => {
  const { all, clock, read, cred } = await auditedEhr({
    env: { EHR_AUDIT_RETENTION_DAYS: '2', EHR_RETENTION_DAYS: '1' },
  });
  // A purge sees the time at which it was due, so the second step brings one at the last moment.
  clock.advance(2 * DAY_MS - MINUTE_MS);
  await untilPurged();
  clock.advance(MINUTE_MS);
  await untilPurged();
  expect(all()).toHaveLength(2);
  // Sessions have a retention of their own, and this one is forgotten.
  expect(reasonOf(await read(cred))).toBe('not_authorized');
  clock.advance(MINUTE_MS);
  await untilPurged();
  expect(all()).toHaveLength(0);
  clock.advance(-10 * DAY_MS);
  await untilPurged();
  expect(all()).toHaveLength(0);
});

test('EHR_AUDIT=off writes no entry', async () => {
  const { all, call, cred } = await auditedEhr({ env: { EHR_AUDIT: 'off' } });
  resultOf(await call(GET, {}, cred));
  expect(all()).toEqual([]);
});

test('what cannot be put on record does not happen, and is logged', async () => {
  const lines: string[] = [];
  const ehr = await auditedEhr({
    mayFail: true,
    logTo: { level: 'error', write: (line) => lines.push(line) },
  });
  const { db, call, cred, authInfo, userSign, saveAuthInfo, saveExchangeToken, authenticate, rows } = ehr;
  resultOf(await saveExchangeToken('x', { user: 'u-other', token: 'token-other', ttl: 60 }));
  const stored = () =>
    ['sessions', 'exchange_tokens', 'links'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  const before = stored();
  db.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  const replies = [
    await call(GET, {}, cred),
    await saveAuthInfo({ ...authInfo, token: 'token-2' }, userSign),
    await saveExchangeToken('y', { ...authInfo, token: 'token-3' }),
    await authenticate('x', { ...ivan, name: 'Nobody' }),
    await authenticate('x', ivan),
    await call(LOG_OUT, {}, cred),
    await call(DISCONNECT, {}, cred),
  ];
  expect(replies.map(reasonOf)).toEqual(Array(7).fill('internal_error'));
  expect(JSON.stringify(replies)).not.toMatch(/Petrova|disk/);
  expect(lines.join('')).toContain('the disk is full');
  expect(stored()).toEqual(before);
  db.exec('DROP TRIGGER full');
  resultOf(await call(GET, {}, cred));
  expect(rows().map(([action]) => action)).toEqual([EXCHANGE, GET]);
});
