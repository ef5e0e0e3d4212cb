import { expect, test } from 'vitest';
import { manualClock } from '#protocol/clock.ts';
import type { JsonText } from '#protocol/envelope.ts';
import type { Context } from './context.ts';
import { get_patient } from './methods/patient/get_patient.ts';

/** The call of a verified session, on a store that takes its time and then says this of the session. */
function readWhile(session: { user: string; expiresAt: number } | undefined) {
  const recorded: string[] = [];
  const store = {
    findLink: async () => ({ user: 'u-1', patientId: 'p-new', userSign: 'sign' }),
    findSession: async () => session,
    recordAccess: async (_user: string, patientId: string) => void recorded.push(patientId),
  };
  const context = { store, mis: { record: () => '{}' }, clock: manualClock() } as unknown as Context;
  const reply = get_patient(context, {}, { user: 'u-1', tokenHash: Buffer.alloc(32), userSign: '' });
  return { reply: Promise.resolve(reply) as Promise<JsonText>, recorded };
}

test('a session that ended while its link was looked up is shown nothing of the link that took its place', async () => {
  for (const session of [undefined, { user: 'u-2', expiresAt: 1 }]) {
    const { reply, recorded } = readWhile(session);
    await expect(reply).rejects.toMatchObject({ reason: 'not_authorized' });
    expect(recorded).toEqual([]);
  }
  const { reply, recorded } = readWhile({ user: 'u-1', expiresAt: 1 });
  expect((await reply).text).toContain('"user_sign":"sign"');
  expect(recorded).toEqual(['p-new']);
});
