import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Context } from '../../context.ts';
import { get_patient } from './get_patient.ts';

test('the verified link is shown and recorded, and no other looked for', async () => {
  const recorded: string[] = [];
  // The store is slow: by the time it answers, the user may have another link.
  const store = { recordAccess: async (...access: unknown[]) => void recorded.push(access.join(' ')) };
  const mis = { record: (patientId: string) => JSON.stringify({ id: patientId }) };
  const context = { store, mis, clock: manualClock(5) } as unknown as Context;
  const caller = { link: { user: 'u-1', patientId: 'p-1', userSign: 'sign-1' }, tokenHash: Buffer.alloc(32) };
  const reply = await get_patient(context, {}, caller);
  expect(JSON.parse(reply.text)).toMatchObject({ patient: { id: 'p-1' }, user_sign: 'sign-1' });
  expect(recorded).toEqual(['u-1 p-1 5']);
});
