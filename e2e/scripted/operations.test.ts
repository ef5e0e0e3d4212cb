import { copyFileSync, rmSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { openSqlite } from '#service/sqlite.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { startProcesses } from '#testing/programs/processes.ts';
import { useProgram } from '#testing/programs/use-program.ts';
import { callerOf, reasonOf, resultOf } from '#testing/wire.ts';

const phone = '79991112233';
const GET = 'patient.get_patient';
const SAVE = 'embedded_storage.save_auth_info';

/** Starts both servers as processes, with a user linked to Anna. */
async function linkedProcesses() {
  const processes = await startProcesses();
  onTestFinished(() => processes.stop());
  const { toAuth, toEhr, urls, newestCode } = processes;
  resultOf(await toAuth('auth.request_otp', { phone }));
  const { authInfo } = resultOf(await toAuth('auth.confirm_otp', { phone, code: await newestCode(phone) }));
  const cred = { user: authInfo.user, token: authInfo.token };
  const { exchangeToken } = resultOf(await toAuth('auth.exchange_token', {}, cred));
  const authenticated = await toEhr('embedded_storage.authenticate', {
    exchangeToken,
    patientProperties: anna,
  });
  const { userSign } = resultOf(authenticated);
  const toInternal = callerOf<typeof ehrMethods>(`${urls.ehrInternal}/1.0-alpha/`);
  const save = (token: string) =>
    toInternal(
      SAVE,
      { authInfo: { user: cred.user, token, ttl: 60 } },
      { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, userSign) },
    );
  return { ...processes, cred, save };
}

/** Starts a command of the EHR server as a person does: with the database and without a password. */
const command = (database: string, ...argv: string[]) =>
  useProgram(['scripts/run.mjs', 'ehr-server/main.ts', ...argv], { env: { EHR_DATABASE: database } });

test('an answered access is on record, even when the server is killed', async () => {
  const { toEhr, cred, database, killAll, restartAll } = await linkedProcesses();
  const accesses = () => {
    const db = openSqlite(database, { readonly: true });
    const count = db.prepare('SELECT count(*) FROM audit WHERE action = ?').pluck().get(GET) as number;
    db.close();
    return count;
  };
  let answered = 0;
  for (const calls of [1, 40]) {
    const under = Array.from({ length: calls }, async () => {
      const reply = await toEhr(GET, {}, cred).catch(() => undefined);
      if (reply?.result) answered++;
    });
    await Promise.race(under);
    await killAll();
    await Promise.all(under);
    expect(answered).toBeGreaterThan(0);
    expect(accesses()).toBeGreaterThanOrEqual(answered);
    await restartAll();
  }
  const { code, text } = await command(database, 'audit', '--action', 'get_patient', '--json').ended;
  expect([code, text.trimEnd().split('\n').length >= answered]).toEqual([0, true]);
});

test('a backup under load is one moment from which a server goes on', async () => {
  const { toEhr, cred, database, save, killAll, restartAll } = await linkedProcesses();
  const acknowledged: string[] = [];
  let isOver = false;
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    for (let n = 0; !isOver; n++) {
      const token = `token-${worker}-${n}`;
      resultOf(await save(token));
      acknowledged.push(token);
    }
  });
  const failed = Promise.all(workers);
  while (acknowledged.length < 50) await Promise.race([new Promise(setImmediate), failed]);
  const before = [...acknowledged];
  const copy = `${database}.copy`;
  expect(await command(database, 'backup', copy).ended).toMatchObject({ code: 0 });
  isOver = true;
  await Promise.all(workers);
  resultOf(await save('after-the-backup'));

  const db = openSqlite(copy, { readonly: true });
  const count = (sql: string) => db.prepare(sql).pluck().get() as number;
  const saved = count('SELECT count(*) FROM sessions WHERE recorded = 1');
  // A save and its audit entry are committed together, so every snapshot has both or neither.
  expect(saved).toBe(count(`SELECT count(*) FROM audit WHERE action = '${SAVE}'`));
  expect(saved).toBeGreaterThanOrEqual(before.length);
  expect(saved).toBeLessThan(acknowledged.length + 1);
  db.close();
  expect(statSync(copy).mode & 0o777).toBe(0o600);

  await killAll();
  // As docs/running.md describes.
  for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true });
  copyFileSync(copy, database);
  await restartAll();
  for (const token of before) resultOf(await toEhr(GET, {}, { user: cred.user, token }));
  expect(reasonOf(await toEhr(GET, {}, { user: cred.user, token: 'after-the-backup' }))).toBe(
    'not_authorized',
  );
});

test('audit --follow ends cleanly on Ctrl-C, and a long list with its pipe', async () => {
  const { toEhr, cred, database } = await linkedProcesses();
  const following = command(database, 'audit', '--follow', '--action', 'get_patient');
  resultOf(await toEhr(GET, {}, cred));
  await following.says(/get_patient.*\n/);
  const listed = expect.stringMatching(/^TIME.*\n.*get_patient.*\n$/);
  expect(await following.stop('SIGINT')).toMatchObject({ code: 0, text: listed });
  const db = openSqlite(database);
  const fill = `INSERT INTO audit (at, action, user_id, patient_id, outcome)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, '${GET}', 'u', 'p', 'ok' FROM n`;
  db.exec(fill);
  db.close();
  const long = command(database, 'audit');
  long.child.stdout?.once('data', () => long.child.stdout?.destroy());
  expect(await long.ended).toMatchObject({ code: 0, err: '' });
});
