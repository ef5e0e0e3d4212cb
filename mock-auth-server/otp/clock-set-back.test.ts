import { expect, test } from 'vitest';
import { ANNA } from '../testing/config.ts';
import { startWorld } from '../testing/start.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;

test('a clock set back lengthens no pause, and the next is usual', async () => {
  const { call, clock, code, reason } = await startWorld({ config: { otpResendAfter: 30 } });
  await call('auth.request_otp', { phone: ANNA });
  clock.advance(-60 * MINUTE_MS);
  expect(await code(ANNA)).toMatch(/^\d{6}$/);
  expect(await reason('auth.request_otp', { phone: ANNA })).toBe('otp_throttled');
  clock.advance(30 * SECOND_MS);
  expect(await code(ANNA)).toMatch(/^\d{6}$/);
});

test('a clock two days ahead leaves nobody without a code', async () => {
  const { clock, code, reason } = await startWorld({ config: { otpPerDay: 1 } });
  await code(ANNA);
  clock.advance(-2 * DAY_MS);
  await code(ANNA);
  expect(await reason('auth.request_otp', { phone: ANNA })).toBe('otp_limit_reached');
});
