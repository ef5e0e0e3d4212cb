import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { startAdapter, type TestParts } from '../testing/start-adapter.ts';

const session = { phone: '79995550001', user: 'u-1', token: 'token-1' };

/** An adapter whose logout a person does. */
const byHand = (parts: TestParts) =>
  startAdapter(
    'http://127.0.0.1:9',
    { steps: { logout: { manual: 'Log ${phone} out.' } }, timeouts: { personMs: 60_000 } },
    parts,
  );

test('a person is told what to do, and the step’s effect ends it', async () => {
  const told: string[] = [];
  const values = { user: 'u', token: 't' };
  const adapter = await byHand({
    tell: (sentence) => void told.push(sentence),
    waitForEffect: async () => values,
  });
  expect(await adapter.does('logout', session)).toEqual({ kind: 'done', values });
  expect(told).toEqual(['Log 79995550001 out.']);
});

test('an undone manual step ends after its time, or with the run', async () => {
  const clock = manualClock();
  const adapter = await byHand({ clock, waitForEffect: () => new Promise(() => undefined) });
  const late = adapter.does('logout', session);
  clock.advance(60_000);
  expect(await late).toEqual({ kind: 'failed', what: 'timeout', detail: 'nobody did it within 60000 ms' });
  const stop = new AbortController();
  const stopped = adapter.perform('logout', session, stop.signal);
  stop.abort();
  expect(await stopped).toEqual({ kind: 'failed', what: 'timeout', detail: 'the step was broken off' });
});

test('a step without a visible effect is a fault of the kit', async () => {
  const adapter = await byHand({ waitForEffect: () => Promise.reject(new Error('nobody watches')) });
  await expect(adapter.does('logout', session)).rejects.toThrow('nobody watches');
});
