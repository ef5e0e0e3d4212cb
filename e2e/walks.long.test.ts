import { expect, test } from 'vitest';
import { useWorld } from '#testing/worlds/use-world.ts';
import { WALK_TIMEOUT_MS, walk } from './testing/walk.ts';

test('the whole flow by curl works again later', { timeout: WALK_TIMEOUT_MS }, async () => {
  const world = await useWorld();
  expect(await walk(world)).toContain('auth.confirm_otp: linked false');
  world.clock.advance(30_000);
  expect(await walk(world)).toEqual([
    ...['auth.request_otp: done', 'auth.confirm_otp: linked true', 'patient.get_patient: Anna'],
    ...['auth.exchange_token: done', 'embedded_storage.authenticate: Anna', 'auth.report_link: done'],
    ...['patient.get_patient: Anna', 'embedded_storage.remove_auth_info: done', 'auth.logout: done'],
  ]);
});
