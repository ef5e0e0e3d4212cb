import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import { run } from '#ehr-server/commands/testing.ts';
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { personas } from '#mis-fixtures/personas.ts';
import { openSqlite } from '#service/sqlite.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { alyoshin, anna, ivan } from '#testing/people.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { proves } from '#testing/proves.ts';
import type { RecordingProxy } from '#testing/recording/recording-proxy.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import type { World } from '#testing/worlds/world.ts';

const PHONE = '79991112233';
const OTHER_PHONE = '79994445566';
const MINUTE_MS = 60_000;
const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';
const SAVE = 'embedded_storage.save_auth_info';

const postgres = usePostgres();

/** Sessions that live, have ended and were never opened; exchange tokens used, failed and pending. */
async function everyKindOfSecret(world: World) {
  const client = await new ScriptedClient(world, PHONE).connect(anna);
  const first = client.cred;
  world.clock.advance(MINUTE_MS);
  await client.signIn();
  resultOf(await client.removeAuthInfo());
  resultOf(await client.logoutAtAuth());
  const other = new ScriptedClient(world, OTHER_PHONE);
  await other.signIn();
  reasonOf(await other.link({ ...ivan, name: 'Nobody' }));
  resultOf(await other.link(ivan));
  const { exchangeToken } = resultOf(await other.exchangeToken());
  world.clock.advance(MINUTE_MS);
  await other.requestCode();
  const { clientToEhr, clientToAuth, authToEhr } = world.proxies;
  const secrets = [...secretsOn([clientToEhr, clientToAuth, authToEhr]), INTERNAL_PASSWORD];
  expect(secrets).toEqual(expect.arrayContaining([first.token, other.cred.token, exchangeToken]));
  expect(secrets.length).toBeGreaterThan(12);
  resultOf(await world.toEhr(GET, {}, first));
  return { secrets, first, userSign: client.userSign as string };
}

/** Reads a database file as a thief finds it: with the files that SQLite keeps beside it. */
function stolen(file: string): Buffer {
  const files = [file, `${file}-wal`, `${file}-journal`].filter(existsSync);
  return Buffer.concat(files.map((each) => readFileSync(each)));
}

const sha256 = (token: string) => createHash('sha256').update(token).digest();

proves(['T-file-1', 'T-file-3'], 'the file, its log and a backup hold no secret of the wire', async () => {
  const folder = temporaryFolder();
  const [file, copy] = [join(folder, 'ehr.sqlite'), join(folder, 'copy.sqlite')];
  const world = await useWorld({ env: { EHR_DATABASE: file } });
  const { secrets, first, userSign } = await everyKindOfSecret(world);
  expect(await run(['backup', copy, '--database', file])).toMatchObject({ code: 0 });
  expect(existsSync(`${file}-wal`)).toBe(true);
  for (const bytes of [stolen(file), readFileSync(`${file}-wal`), stolen(copy)]) {
    expect(findSecrets(bytes, secrets)).toEqual([]);
    // The same search finds what the file does hold: the signature, and the hash of a token.
    expect(findSecrets(bytes, [userSign, sha256(first.token).toString('hex')])).toHaveLength(2);
  }
});

proves(['T-file-1'], 'a dump of every row of a PostgreSQL database holds none of them either', async () => {
  const url = await postgres.createDatabase();
  const world = await useWorld({ env: { EHR_DATABASE: url, EHR_RATE_LIMIT: 'on' } });
  const { secrets, first, userSign } = await everyKindOfSecret(world);
  const tables = await runOn(
    url,
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => runOn(url, `SELECT t::text AS row FROM ${name} t`)),
  );
  const dump = Buffer.from(
    rows
      .flat()
      .map(({ row }) => row)
      .join('\n'),
  );
  expect(tables.length).toBeGreaterThan(4);
  expect(findSecrets(dump, secrets)).toEqual([]);
  expect(findSecrets(dump, [userSign])).toEqual([userSign]);
  expect(dump.toString()).toContain(sha256(first.token).toString('hex'));
  // The windows of the rate limits are among the rows.
  expect(dump.toString()).toContain('exchange_token:');
  expect(dump.toString()).toContain('address:127.0.0.1');
});

/** Starts the linked server on a file, opens the stolen file, and returns every hash and signature in it. */
async function robbedEhr() {
  const file = join(temporaryFolder(), 'ehr.sqlite');
  const ehr = await unlinkedEhr({ env: { EHR_DATABASE: file } });
  await ehr.link('u-anna', 'token-anna', anna);
  await ehr.link('u-boris', 'token-boris', alyoshin);
  resultOf(await ehr.saveExchangeToken('pending', { user: 'u-ivan', token: 'token-ivan', ttl: 60 }));
  const db = openSqlite(file, { readonly: true });
  onTestFinished(() => void db.close());
  const all = <Row>(sql: string) => db.prepare<[], Row>(sql).all();
  return {
    ...ehr,
    file,
    all,
    sessions: all<{ token_hash: Buffer; user: string }>(
      'SELECT token_hash, user FROM sessions JOIN links ON id = link',
    ),
    exchangeTokens: all<{ hash: Buffer }>('SELECT hash FROM exchange_tokens WHERE used = 0'),
    links: all<{ user: string; patient_id: string; user_sign: string }>('SELECT * FROM links ORDER BY user'),
  };
}

proves(['T-file-2'], 'a hash out of the file is no token, in whatever form', async () => {
  const { call, sessions, exchangeTokens } = await robbedEhr();
  const forms = (hash: Buffer) =>
    (['hex', 'base64', 'base64url', 'latin1', 'utf8'] as const).map((f) => hash.toString(f));
  expect([sessions.length, exchangeTokens.length]).toEqual([2, 1]);
  for (const { token_hash, user } of sessions) {
    // Bytes that are control characters are refused for their form, with the same effect.
    for (const token of forms(token_hash))
      expect(['not_authorized', 'invalid_params']).toContain(reasonOf(await call(GET, {}, { user, token })));
  }
  for (const exchangeToken of forms(exchangeTokens[0]?.hash as Buffer)) {
    const reply = await call(AUTHENTICATE, { exchangeToken, patientProperties: ivan });
    expect(['exchange_token_unknown', 'invalid_params']).toContain(reasonOf(reply));
  }
  // With the token itself the same calls succeed.
  resultOf(await call(AUTHENTICATE, { exchangeToken: 'pending', patientProperties: ivan }));
});

proves(['T-file-3', 'T-file-4'], 'a signature of the file opens nothing without the password', async () => {
  const { links, toInternal, call, saveAuthInfo, all } = await robbedEhr();
  expect(links.map(({ user, patient_id }) => [user, patient_id])).toEqual([
    ['u-anna', personas.anna.patients[0].id],
    ['u-boris', personas.alyoshin.patients[0].id],
  ]);
  expect(all('SELECT * FROM audit')).toHaveLength(5);
  for (const { user, user_sign } of links) {
    const authInfo = { user, token: `of-a-thief-${user}`, ttl: 60 };
    const sha1 = createHash('sha1').update(user_sign).digest('hex');
    for (const token of [user_sign, sha1, createHash('sha1').update(`password${user_sign}`).digest('hex')])
      expect(reasonOf(await toInternal(SAVE, { authInfo }, { user: INTERNAL_USER, token }))).toBe(
        'not_authorized',
      );
    expect(reasonOf(await call(GET, {}, { user, token: user_sign }))).toBe('not_authorized');
    expect(reasonOf(await call(GET, {}, { user, token: authInfo.token }))).toBe('not_authorized');
    // With the password in addition, the thief can open a session of every linked user.
    resultOf(await saveAuthInfo(authInfo, user_sign));
    expect(resultOf(await call(GET, {}, { user, token: authInfo.token })).userSign).toBe(user_sign);
  }
});

proves(['T-file-5'], 'where the patients are in the same file, they stand there in clear', async () => {
  const file = join(temporaryFolder(), 'ehr.sqlite');
  const db = openDatabase(file);
  prepareMisSchema(db);
  const insert = patientInserter(db);
  const [patient] = personas.anna.patients;
  insert(patient);
  db.close();
  await unlinkedEhr({ env: { EHR_DATABASE: file } });
  expect(findSecrets(stolen(file), [patient.surname, ...patient.phones])).toEqual([
    patient.surname,
    ...patient.phones,
  ]);
});

proves(['T-file-6'], "the authorization server's file holds no session token", async () => {
  const file = join(temporaryFolder(), 'auth.sqlite');
  const world = await useWorld({ env: { AUTH_DATABASE: file } });
  const { secrets, first, userSign } = await everyKindOfSecret(world);
  const codes = world.auth.outbox.list().map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(2);
  const tokens = secrets.filter((secret) => !codes.includes(secret));
  expect(findSecrets(stolen(file), tokens)).toEqual([]);
  expect(findSecrets(stolen(file), [...codes, userSign, sha256(first.token).toString('hex')])).toHaveLength(
    new Set(codes).size + 2,
  );
});

proves(['T-file-8'], 'who puts an older copy back revives what was ended since', async () => {
  const folder = temporaryFolder();
  const [file, copy] = [join(folder, 'ehr.sqlite'), join(folder, 'copy.sqlite')];
  const env = { EHR_DATABASE: file };
  const ehr = await unlinkedEhr({ env });
  const cred = { user: 'u-anna', token: 'token-anna' };
  await ehr.link(cred.user, cred.token, anna);
  resultOf(await ehr.saveExchangeToken('used-later', { user: 'u-ivan', token: 'token-ivan', ttl: 60 }));
  expect(await run(['backup', copy, '--database', file])).toMatchObject({ code: 0 });
  resultOf(await ehr.call('embedded_storage.remove_authentication', {}, cred));
  const again = { exchangeToken: 'used-later', patientProperties: ivan };
  resultOf(await ehr.call(AUTHENTICATE, again));
  expect(reasonOf(await ehr.call(GET, {}, cred))).toBe('not_authorized');
  await ehr.ehr.stop();
  copyFileSync(copy, file);
  const restored = await unlinkedEhr({ env });
  resultOf(await restored.call(GET, {}, cred));
  resultOf(await restored.call(AUTHENTICATE, again));
});

/** Members that grant access. The signature is none of them: it is stored in clear, as documented. */
const SECRET = /"(?:token|exchangeToken|exchange_token|code)"\s*:\s*"([^"]+)"/g;

function secretsOn(proxies: readonly RecordingProxy[]): string[] {
  const wire = Buffer.concat(proxies.flatMap((proxy) => [proxy.received(), proxy.answered()])).toString(
    'utf8',
  );
  return [...new Set([...wire.matchAll(SECRET)].map(([, value = '']) => value))];
}

/** Returns those that the bytes contain, as text in any form or as the bytes that they encode. */
function findSecrets(bytes: Buffer, secrets: readonly string[]): string[] {
  const spelled = secrets.filter((secret) =>
    (['base64url', 'hex'] as const).some((alphabet) => {
      const raw = Buffer.from(secret, alphabet);
      return raw.length >= 16 && bytes.includes(raw);
    }),
  );
  return [...new Set([...findCanaries(bytes, secrets).map(({ value }) => value), ...spelled])];
}
