import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { anna } from '#testing/people.ts';
import { untilPurged } from '#testing/store-steps.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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
  await untilPurged();
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
