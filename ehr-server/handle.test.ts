import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onText } from '#protocol/methods/pipeline.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { openSqlite } from '#service/sqlite.ts';
import { personaMis, testEnvironment } from '#testing/fixtures.ts';
import { link, NOW } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { readEhrConfig } from './config.ts';
import { createHandler } from './handle.ts';
import { openStore } from './store/open-store.ts';

/** A pipeline on a file, with a session of a linked user whose patient the MIS does not know. */
async function subject() {
  const folder = folderInMemory();
  const file = join(folder, 'ehr.sqlite');
  const config = readEhrConfig([], { ...testEnvironment, EHR_DATABASE: file });
  if (!config) throw new Error('No settings were read.');
  const [store, mis] = [await openStore(config), personaMis()];
  const other = openSqlite(file);
  onTestFinished(async () => {
    other.close();
    await store.close();
    await mis.close();
  });
  await link(store, 'u', 'p', 'token');
  const context = { store, mis, clock: manualClock(NOW), random: systemRandom, config };
  return { handle: onText(createHandler(context, () => undefined)), other };
}

const call = (method: string, token: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {},
  cred: { user: 'u', token },
});

test('a caller finds what it changed from another process after its answer', async () => {
  const { handle, other } = await subject();
  const getPatient = (token: string) => call('patient.get_patient', token);
  const batch = [call('embedded_storage.remove_auth_info', 'token'), getPatient('unknown')];
  expect((await handle(JSON.stringify(batch), 'any')).body).toMatch(/"result":\{\}.*"not_authorized"/);
  const reopen = other.prepare(
    'UPDATE sessions SET link = (SELECT id FROM links), expires_at = expires_at + 3600000 WHERE token_hash = ?',
  );
  expect(reopen.run(hashToken('token')).changes).toBe(1);
  expect((await handle(JSON.stringify(getPatient('token')), 'any')).body).toContain('"patient_not_matched"');
});

for (const method of ['embedded_storage.remove_auth_info', 'embedded_storage.remove_authentication'])
  test(`the second of two admitted calls of ${method} finds the session gone`, async () => {
    const { handle } = await subject();
    const text = JSON.stringify(call(method, 'token'));
    const [first, second] = await Promise.all([handle(text, 'any'), handle(text, 'any')]);
    expect(JSON.parse(first.body ?? '')).toMatchObject({ result: {} });
    expect(JSON.parse(second.body ?? '')).toMatchObject({ error: { data: { reason: 'not_authorized' } } });
  });

test('discovery is titled for the EHR server and carries its version of the interface', async () => {
  const { handle } = await subject();
  const { body } = await handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' }), 'any');
  expect(JSON.parse(body ?? '').result.info).toEqual({
    title: 'Embedded EHR Storage Interface: EHR server',
    version: '1.0-alpha',
  });
});
