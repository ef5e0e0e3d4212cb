import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { anna } from '#testing/people.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Waits until the work that the clock started has ended. A purge takes several iterations of the event loop.
 */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
}

test('rules hold by the clock as it is when it is set back', async () => {
  const ehr = await linkedEhr();
  const read = async (token: string) => (await ehr.read({ ...ehr.cred, token })).error?.data.reason ?? 'ok';
  const authenticate = async (exchangeToken: string) =>
    (await ehr.authenticate(exchangeToken, anna)).error?.data.reason ?? 'ok';
  const session = (token: string, ttl: number) => ({ user: 'u-anna', token, ttl });
  for (const [token, ttl] of [
    ['ended', 600],
    ['long', 600],
  ] as const)
    resultOf(await ehr.saveAuthInfo(session(token, ttl), ehr.userSign));
  resultOf(await ehr.saveExchangeToken('used', session('by-used', 600)));
  resultOf(await ehr.saveExchangeToken('unused', session('by-unused', 600)));
  expect(await authenticate('used')).toBe('ok');
  resultOf(await ehr.call('embedded_storage.remove_auth_info', {}, { ...ehr.cred, token: 'ended' }));
  ehr.clock.advance(70 * MINUTE_MS);
  await turns();
  expect([await read('token-anna'), await authenticate('unused')]).toEqual([
    'session_expired',
    'exchange_token_expired',
  ]);

  ehr.clock.advance(-HOUR_MS);
  expect(await read('ended')).toBe('not_authorized');
  expect(await authenticate('used')).toBe('exchange_token_unknown');
  expect(reasonOf(await ehr.saveAuthInfo(session('ended', 600), ehr.userSign))).toBe('token_already_stored');
  expect(await read('long')).toBe('ok');
  // Ten minutes after it was stored: sessions and tokens live by the server's clock, however the clock got
  // there.
  expect([await read('token-anna'), await authenticate('unused')]).toEqual(['ok', 'exchange_token_expired']);
  // A new session and a new token live exactly as long as they should from now on, not an hour longer.
  resultOf(await ehr.saveAuthInfo(session('new', 5), ehr.userSign));
  resultOf(await ehr.saveExchangeToken('new', session('by-new', 600)));
  ehr.clock.advance(5 * MINUTE_MS - 1);
  expect(await read('new')).toBe('ok');
  ehr.clock.advance(1);
  expect(await read('new')).toBe('session_expired');
  ehr.clock.advance(5 * MINUTE_MS - 1);
  expect(await authenticate('new')).toBe('ok');
});

test('what was purged stays unknown when the clock is set back', async () => {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const ehr = await linkedEhr({ env: { EHR_DATABASE: file, EHR_RETENTION_DAYS: '1' } });
  const reader = openDatabase(file);
  const pass = async (time: number) => {
    // The purge that becomes due on the way sees the clock at its due time. The next purge sees the final
    // time.
    for (const step of [time, 2 * MINUTE_MS]) {
      ehr.clock.advance(step);
      await turns();
    }
  };
  const sessions = () => reader.prepare('SELECT count(*) FROM sessions').pluck().get();
  const read = async (token: string) => reasonOf(await ehr.read({ ...ehr.cred, token }));
  await pass(DAY_MS + HOUR_MS);
  expect([sessions(), await read('token-anna')]).toEqual([0, 'not_authorized']);
  await pass(-HOUR_MS);
  expect(await read('token-anna')).toBe('not_authorized');
  resultOf(await ehr.saveAuthInfo({ user: 'u-anna', token: 'later', ttl: 1 }, ehr.userSign));
  expect(sessions()).toBe(1);
  await pass(HOUR_MS + DAY_MS + MINUTE_MS);
  expect(sessions()).toBe(0);
  reader.close();
});

test('rate limits let callers in again after the clock is set back', async () => {
  const ehr = await linkedEhr({ env: { EHR_RATE_LIMIT: 'on', EHR_RATE_PER_ADDRESS: '5' } });
  const status = async () =>
    (
      await fetch(ehr.ehr.endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '[]',
      })
    ).status;
  const exhaust = async () => {
    let last = 0;
    for (let n = 0; n < 200 && last !== 429; n++) last = await status();
    return last;
  };
  expect(await exhaust()).toBe(429);
  // The limits count by the clock of the machine.
  const machine = vi.spyOn(Date, 'now').mockReturnValue(systemClock.now() - HOUR_MS);
  onTestFinished(() => machine.mockRestore());
  await expect.poll(status, { timeout: 10_000 }).toBe(200);
});
