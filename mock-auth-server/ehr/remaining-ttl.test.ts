import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { testConfig } from '../testing/config.ts';
import { authInfoOf } from './remaining-ttl.ts';

const caller = { user: 'u', token: 't', tokenHash: Buffer.alloc(0) };

test('the ttl is what remains, rounded up, and at least 1', () => {
  const clock = manualClock(0);
  const minutes = (expiresAt: number) =>
    authInfoOf({ clock, config: testConfig() }, { ...caller, expiresAt }).ttl;
  expect([1, 60_000, 60_001, 86_400_000].map(minutes)).toEqual([1, 1, 2, 1440]);
  // The session may expire while a first attempt waits for the EHR server.
  expect([0, -1].map(minutes)).toEqual([1, 1]);
  const seconds = testConfig({ ttlUnit: 'seconds' });
  expect(authInfoOf({ clock, config: seconds }, { ...caller, expiresAt: 1_001 })).toEqual({
    user: 'u',
    token: 't',
    ttl: 2,
  });
});
