import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { untilPurged } from '#testing/store-steps.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

proves(['2.4-remembered'], 'sessions, links and pending exchange tokens outlive a restart', async () => {
  const env = { EHR_DATABASE: join(folderInMemory(), 'ehr.sqlite') };
  const before = await linkedEhr({ env });
  resultOf(await before.saveExchangeToken('x', { user: 'u-anna', token: 'token-2', ttl: 60 }));
  await before.ehr.stop();
  const after = await unlinkedEhr({ env });
  expect(resultOf(await after.read(before.cred)).userSign).toBe(before.userSign);
  resultOf(await after.authenticate('x', anna));
});

proves(
  ['D12-expired-token-taken', 'D12-purge-after-retention', 'D12-purge-outside-requests'],
  'an expired session is known for thirty days, then its rows are deleted',
  async () => {
    const file = join(folderInMemory(), 'ehr.sqlite');
    const ehr = await linkedEhr({ env: { EHR_DATABASE: file } });
    const reader = openDatabase(file);
    onTestFinished(() => void reader.close());
    const rowsOf = (table: string) => reader.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    const rowsAfter = async (ms: number) => {
      // A purge sees the time at which it was due, so the second step brings one at the end of the time.
      for (const step of [ms - MINUTE_MS, MINUTE_MS]) {
        ehr.clock.advance(step);
        await untilPurged();
      }
      return [rowsOf('sessions'), rowsOf('exchange_tokens')];
    };
    // The exchange token lives for ten minutes and the session for an hour. Each is kept for thirty days more.
    expect(await rowsAfter(30 * DAY_MS + 10 * MINUTE_MS - 1)).toEqual([1, 1]);
    expect(await rowsAfter(50 * MINUTE_MS)).toEqual([1, 0]);
    expect(reasonOf(await ehr.read(ehr.cred))).toBe('session_expired');
    expect(reasonOf(await ehr.saveAuthInfo(ehr.authInfo, ehr.userSign))).toBe('token_already_stored');
    expect(reasonOf(await ehr.saveExchangeToken('y', ehr.authInfo))).toBe('token_already_stored');
    expect(await rowsAfter(2 * MINUTE_MS)).toEqual([0, 0]);
    resultOf(await ehr.saveAuthInfo(ehr.authInfo, ehr.userSign));
  },
);
