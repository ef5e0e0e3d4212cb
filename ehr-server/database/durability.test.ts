import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Wait until the purge that the clock started is done: it takes a few turns of the event loop. */
async function untilPurged(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

proves(['2.4-remembered'], 'sessions, links and pending exchange tokens outlive a restart', async () => {
  const env = { EHR_DATABASE: join(folderInMemory(), 'ehr.sqlite') };
  const before = await linkedEhr({ env });
  resultOf(await before.saveExchangeToken('x', { user: 'u-anna', token: 'token-2', ttl: 60 }));
  await before.ehr.stop();
  const after = await unlinkedEhr({ env });
  expect(resultOf(await after.read(before.cred)).userSign).toBe(before.userSign);
  resultOf(await after.authenticate('x', anna));
});

proves(['D12-purge-after-retention', 'D12-purge-outside-requests'], 'expired rows are purged', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const ehr = await linkedEhr({ env: { EHR_DATABASE: file, EHR_RETENTION_DAYS: '2' } });
  const reader = openDatabase(file);
  onTestFinished(() => void reader.close());
  const rows = () => [
    reader.prepare('SELECT count(*) FROM sessions').pluck().get(),
    reader.prepare('SELECT count(*) FROM exchange_tokens').pluck().get(),
  ];
  // The session lives for an hour, and is kept for two days more.
  ehr.clock.advance(2 * DAY_MS + 60 * MINUTE_MS - 1);
  await untilPurged();
  expect(reasonOf(await ehr.read(ehr.cred))).toBe('session_expired');
  expect(reasonOf(await ehr.saveExchangeToken('y', { ...ehr.authInfo }))).toBe('token_already_stored');
  expect(rows()).toEqual([1, 1]);
  ehr.clock.advance(2 * MINUTE_MS);
  await untilPurged();
  expect(rows()).toEqual([0, 0]);
});

proves(
  ['D12-expired-token-taken', 'D12-purge-after-retention'],
  'an expired session is known for thirty days, then forgotten',
  async () => {
    const ehr = await linkedEhr();
    const read = async () => reasonOf(await ehr.read(ehr.cred));
    const pass = async (ms: number) => {
      ehr.clock.advance(ms);
      await untilPurged();
    };
    // The session ends. From here on thirty days are counted, of which five minutes are left after the loop.
    await pass(60 * MINUTE_MS);
    for (const ms of [0, 29 * DAY_MS, DAY_MS - 5 * MINUTE_MS]) {
      await pass(ms);
      expect(await read()).toBe('session_expired');
    }
    expect(reasonOf(await ehr.saveAuthInfo(ehr.authInfo, ehr.userSign))).toBe('token_already_stored');
    for (const ms of [5 * MINUTE_MS, MINUTE_MS, MINUTE_MS]) await pass(ms);
    expect(await read()).toBe('not_authorized');
    resultOf(await ehr.saveAuthInfo(ehr.authInfo, ehr.userSign));
  },
);
