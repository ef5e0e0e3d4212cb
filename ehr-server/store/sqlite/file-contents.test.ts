import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claims } from '#e2e/threats/claims.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { openSqlite } from '#service/sqlite.ts';
import { link, NOW } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { openStore } from '../open-store.ts';

claims(['T-file-9'], 'no signature of a removed link stays in the file', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const store = await openStore({ database: file, audit: true });
  const people = Array.from({ length: 200 }, (_, index) => index);
  await Promise.all(people.map((index) => link(store, `u-${index}`, `patient-${index}-`, `t-${index}`)));
  const gone = people.filter((index) => index % 3 > 0);
  const removed = gone.map((index) => store.removeUser(hashToken(`t-${index}`), `u-${index}`, NOW));
  expect(new Set(await Promise.all(removed))).toEqual(new Set([true]));
  await store.close();
  const text = readFileSync(file, 'latin1');
  expect(gone.filter((index) => text.includes(`sign-patient-${index}-`))).toEqual([]);
  expect(text).toContain('sign-patient-0-');
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('the audit has no column for a token, a signature or patient data', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  await (await openStore({ database: file, audit: true })).close();
  const db = openSqlite(file);
  onTestFinished(() => void db.close());
  const columns = db.prepare("SELECT name FROM pragma_table_info('audit')").pluck().all();
  expect(columns).toEqual(['id', 'at', 'action', 'user_id', 'patient_id', 'outcome']);
});

test('no statement on the audit changes an entry, INSERT OR REPLACE neither', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const store = await openStore({ database: file, audit: true });
  await link(store, 'u', 'p', 't');
  await store.recordAccess('u', 'p', NOW);
  const db = openSqlite(file);
  const entries = () => db.prepare('SELECT * FROM audit ORDER BY id').all();
  const before = entries();
  const row = "(id, at, action, user_id, patient_id, outcome) VALUES (1, 1, 'x', 'x', 'x', 'ok')";
  for (const statement of [
    `INSERT OR REPLACE INTO audit ${row}`,
    `REPLACE INTO audit ${row}`,
    `INSERT INTO audit ${row} ON CONFLICT (id) DO UPDATE SET user_id = 'x'`,
    "UPDATE audit SET user_id = 'x'",
    'UPDATE OR REPLACE audit SET id = 2 WHERE id = 1',
    'DELETE FROM audit',
  ]) {
    expect([statement, () => db.exec(statement)]).toEqual([statement, expect.toSatisfy(throws)]);
    expect([statement, entries()]).toEqual([statement, before]);
  }
  db.close();
  await store.recordAccess('u', 'p', NOW);
  expect(await store.readAudit({ after: 0, limit: 10 })).toHaveLength(before.length + 1);
  await store.close();
});

function throws(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    return /audit entries are (?:never changed|kept)/.test((error as Error).message);
  }
}
