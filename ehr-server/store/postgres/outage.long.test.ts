import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '#testing/postgres/postgres.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';

test('calls fail while the database is away, and go on after it', async () => {
  const postgres = await startPostgres({ settings: { fsync: 'off' } });
  const lines: string[] = [];
  const ehr = await linkedEhr({
    env: { EHR_DATABASE: await postgres.createDatabase(), EHR_RATE_LIMIT: 'off' },
    mayFail: true,
    logTo: { level: 'info', write: (line) => lines.push(line) },
  });
  // The end of the server is registered already, and runs last.
  onTestFinished(() => postgres.close());
  const read = async () => (await ehr.read(ehr.cred)).error?.data.reason ?? 'ok';
  const readiness = async () => (await fetch(`${ehr.ehr.url}/readyz`)).status;
  expect([await read(), await readiness()]).toEqual(['ok', 200]);
  for (const kind of ['fast', 'kill'] as const) {
    await postgres.stop(kind);
    lines.splice(0);
    const answers = await Promise.all(Array.from({ length: 20 }, read));
    expect(new Set(answers)).toEqual(new Set(['internal_error']));
    const { userSign, authInfo } = ehr;
    expect((await ehr.saveAuthInfo({ ...authInfo, token: 'lost' }, userSign)).error?.data.reason).toBe(
      'internal_error',
    );
    expect(await readiness()).toBe(503);
    const told = lines.filter((line) => line.includes('the database does not answer'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/ENOENT|ECONNREFUSED|terminat|57P0/);
    // The line of a failing call has neither the cause nor its stack.
    const calls = lines.filter((line) => line.includes('call failed'));
    expect(calls).toHaveLength(21);
    for (const line of calls) expect(line).not.toMatch(/ENOENT|ECONNREFUSED|node_modules/);
    await postgres.start();
    await expect.poll(readiness, { timeout: 10_000, interval: 50 }).toBe(200);
    expect(await read()).toBe('ok');
    expect(await ehr.read({ ...ehr.cred, token: 'lost' })).toMatchObject({
      error: { data: { reason: 'not_authorized' } },
    });
  }
  expect((await ehr.saveAuthInfo({ ...ehr.authInfo, token: 'saved' }, ehr.userSign)).result).toMatchObject({
    id: expect.any(String),
  });
});
