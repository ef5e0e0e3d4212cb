/** What a scenario leaves when somebody takes over, or empties the demo. */
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { HeldSession, Overview, TakenOver } from '../../api.ts';
import { startConsole } from '../testing/start-console.ts';

async function takenOverAfter(
  steps: number,
  id: string,
  { post }: Awaited<ReturnType<typeof startConsole>>,
): Promise<HeldSession | undefined> {
  for (let made = 0; made < steps; made++)
    await post('/api/scenario', { do: 'step', ...(made === 0 && { id }) });
  return (await post<TakenOver>('/api/scenario', { do: 'takeOver' })).held;
}

test('a scenario that is taken over hands its session on, in that answer alone', async () => {
  const demo = await startConsole();
  const stream = await demo.events();
  const held = await takenOverAfter(4, 'returning-user', demo);
  expect(held).toMatchObject({ phone: '79990000001', reportDue: false, userSign: expect.any(String) });
  const { user = '', token = '' } = held?.session ?? {};
  const call = { jsonrpc: '2.0', id: '1', method: 'patient.get_patient', params: {}, cred: { user, token } };
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(call);
  const answer = await (await fetch(demo.addresses.ehr, { method: 'POST', headers, body })).json();
  expect(answer).toMatchObject({ result: { patient: { surname: 'Petrova' } } });
  expect(JSON.stringify(stream.heard)).not.toContain(token);
  expect(await demo.post('/api/scenario', { do: 'takeOver' })).not.toHaveProperty('held');
});

test('a link that was not reported is handed on as one to report', async () => {
  const demo = await startConsole();
  expect(await takenOverAfter(3, 'returning-user', demo)).toMatchObject({ reportDue: true });
});

test('without a session there is nothing to hand on', async () => {
  const demo = await startConsole();
  expect(await takenOverAfter(0, 'first-link', demo)).toBeUndefined();
  expect(await takenOverAfter(6, 'logout', demo)).toBeUndefined();
});

test('a reset ends the wait of a scenario that plays', async () => {
  const demo = await startConsole(undefined, {}, manualClock());
  const stream = await demo.events();
  await demo.post('/api/scenario', { do: 'play', id: 'first-link', paceMs: 1 });
  await stream.until('scenario', ({ step }) => step === 1);
  await demo.post('/api/reset');
  expect(await demo.get<Overview>('/api/overview')).toMatchObject({ scenario: { id: null, phase: 'idle' } });
});
