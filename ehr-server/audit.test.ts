import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claims } from '#e2e/threats/claims.ts';
import { personas } from '#mis-fixtures/personas.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { openSqlite } from '#service/sqlite.ts';
import { anna, ivan } from '#testing/people.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import type { EhrAloneOptions } from '#testing/worlds/ehr-alone.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';

const ANNA = personas.anna.patients[0].id;
const OTHER = personas.twins.patients[0].id;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = manualClock().now();

const SAVE = 'embedded_storage.save_auth_info';
const EXCHANGE = 'embedded_storage.save_exchange_token';
const AUTHENTICATE = 'embedded_storage.authenticate';
const GET = 'patient.get_patient';
const LOG_OUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';

type AuditLine = [action: string, user: string, patient: string | null, outcome: string];

/**
 * A server with a linked user, on a file, and its audit as another process sees it. `rows` leaves out the
 * entries of the linking.
 */
async function auditedEhr(options: EhrAloneOptions = {}) {
  const file = join(temporaryFolder(), 'ehr.sqlite');
  const ehr = await linkedEhr({ ...options, env: { EHR_DATABASE: file, ...options.env } });
  const db = openSqlite(file);
  onTestFinished(() => void db.close());
  const all = db
    .prepare<[], AuditLine>('SELECT action, user_id, patient_id, outcome FROM audit ORDER BY id')
    .raw();
  const authenticate = (exchangeToken: string, patientProperties: object) =>
    ehr.call(AUTHENTICATE, { exchangeToken, patientProperties });
  return { ...ehr, db, authenticate, all: () => all.all(), rows: () => all.all().slice(2) };
}

/** Wait until the work that the clock started is done: a purge takes a few ticks of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

test('the linking of a user leaves two entries, one for each caller', async () => {
  const { all, db } = await auditedEhr();
  expect(all()).toEqual([
    [EXCHANGE, 'u-anna', null, 'ok'],
    [AUTHENTICATE, 'u-anna', ANNA, 'ok'],
  ]);
  expect(db.prepare('SELECT at FROM audit').pluck().all()).toEqual([START, START]);
});

claims(['T-auth-6'], 'every change and every access writes one entry, with its outcome', async () => {
  const { rows, call, cred, authInfo, userSign, saveAuthInfo, saveExchangeToken, authenticate } =
    await auditedEhr();
  resultOf(await saveAuthInfo(authInfo, userSign));
  reasonOf(await saveAuthInfo(authInfo, userSign));
  resultOf(await call(GET, {}, cred));
  resultOf(await saveExchangeToken('x', { user: 'u-other', token: 'token-other', ttl: 60 }));
  reasonOf(await saveExchangeToken('x', { user: 'u-other', token: 'token-other', ttl: 60 }));
  reasonOf(await saveExchangeToken('y', { user: 'u-other', token: 'token-anna', ttl: 60 }));
  reasonOf(await authenticate('x', { ...anna, name: 'Nobody' }));
  reasonOf(await authenticate('x', anna));
  resultOf(await authenticate('x', ivan));
  resultOf(await saveExchangeToken('z', { user: 'u-other', token: 'token-z', ttl: 60 }));
  reasonOf(await authenticate('z', anna));
  resultOf(await call(LOG_OUT, {}, cred));
  resultOf(await call(DISCONNECT, {}, { user: 'u-other', token: 'token-other' }));
  expect(rows()).toEqual([
    [SAVE, 'u-anna', ANNA, 'ok'],
    [SAVE, 'u-anna', ANNA, 'token_already_stored'],
    [GET, 'u-anna', ANNA, 'ok'],
    [EXCHANGE, 'u-other', null, 'ok'],
    [EXCHANGE, 'u-other', null, 'exchange_token_already_stored'],
    [EXCHANGE, 'u-other', null, 'token_already_stored'],
    [AUTHENTICATE, 'u-other', null, 'patient_not_matched'],
    [AUTHENTICATE, 'u-other', ANNA, 'patient_already_linked'],
    [AUTHENTICATE, 'u-other', OTHER, 'ok'],
    [EXCHANGE, 'u-other', null, 'ok'],
    [AUTHENTICATE, 'u-other', ANNA, 'patient_already_matched'],
    [LOG_OUT, 'u-anna', null, 'ok'],
    [DISCONNECT, 'u-other', OTHER, 'ok'],
  ]);
});

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

test('each call of a batch has an entry, and so has a notification', async () => {
  const { rows, cred, post, ehr } = await auditedEhr();
  const get = { jsonrpc: '2.0', method: GET, params: {}, cred };
  const wrong = { ...cred, token: 'wrong' };
  await post([{ ...get, id: 1 }, { ...get, id: 2, cred: wrong }, get, { ...get, id: 3 }]);
  expect(rows()).toEqual(Array(3).fill([GET, 'u-anna', ANNA, 'ok']));
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(ehr.endpoint, { method: 'POST', headers, body: JSON.stringify(get) })).status).toBe(
    204,
  );
  expect(rows()).toHaveLength(4);
});

test('the record holds no token, no digest, no signature and no patient data', async () => {
  const { db, call, cred, userSign, authInfo, saveAuthInfo, saveExchangeToken, authenticate } =
    await auditedEhr();
  resultOf(await saveAuthInfo(authInfo, userSign));
  resultOf(await saveExchangeToken('secret-exchange', { user: 'u-other', token: 'secret-session', ttl: 60 }));
  reasonOf(await authenticate('secret-exchange', { ...ivan, name: 'Canary' }));
  resultOf(await authenticate('secret-exchange', ivan));
  const { patient } = resultOf(await call(GET, {}, cred));
  const columns = db.pragma('table_info(audit)') as { name: string }[];
  expect(columns.map(({ name }) => name)).toEqual(['id', 'at', 'action', 'user_id', 'patient_id', 'outcome']);
  const record = JSON.stringify(db.prepare('SELECT * FROM audit').all());
  expect(record).toContain('u-other');
  const { id: _, ...data } = patient;
  const texts = [...textsOf(data), ...textsOf(ivan), 'Canary'];
  expect(texts).toContain('Petrova');
  const tokens = ['secret-exchange', 'secret-session', cred.token, userSign];
  const hashes = tokens.map((token) => Buffer.from(hashToken(token)));
  const digests = hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64url')]);
  for (const secret of [...tokens, ...digests, ...texts]) expect(record).not.toContain(secret);
});

/** The texts in a value that are long enough to search for. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 3 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('entries are purged after their retention and not before, whatever the clock does', async () => {
  const { all, clock } = await auditedEhr({
    env: { EHR_AUDIT_RETENTION_DAYS: '2', EHR_RETENTION_DAYS: '1' },
  });
  clock.advance(2 * DAY_MS);
  await turns();
  expect(all()).toHaveLength(2);
  clock.advance(MINUTE_MS + 1);
  await turns();
  expect(all()).toHaveLength(0);
  clock.advance(-10 * DAY_MS);
  await turns();
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
