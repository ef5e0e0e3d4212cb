import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { startAdapter } from '../testing/start-adapter.ts';

const session = { phone: '79995550001', user: 'u-1', token: 'token-1' };

test('a person is told what to do, and the step’s effect ends it', async () => {
  const told: string[] = [];
  const { promise, resolve } = withResolvers<Record<string, string>>();
  const adapter = await startAdapter(
    'http://127.0.0.1:9',
    { steps: { confirmOtp: { manual: 'Sign in as ${phone} now.' } } },
    { tell: (sentence) => void told.push(sentence), waitForEffect: () => promise },
  );
  const result = adapter.does('confirmOtp', { phone: '7999' });
  resolve({ user: 'u', token: 't' });
  expect(await result).toEqual({ kind: 'done', values: { user: 'u', token: 't' } });
  expect(told).toEqual(['Sign in as 7999 now.']);
});

test('an undone manual step ends after its time, or with the run', async () => {
  const clock = manualClock();
  const adapter = await startAdapter(
    'http://127.0.0.1:9',
    { steps: { logout: { manual: 'Log out.' } }, timeouts: { personMs: 60_000 } },
    { clock, waitForEffect: () => new Promise(() => undefined) },
  );
  const late = adapter.does('logout', session);
  clock.advance(60_000);
  expect(await late).toEqual({ kind: 'failed', what: 'timeout', detail: 'nobody did it within 60000 ms' });
  const stop = new AbortController();
  const stopped = adapter.perform('logout', session, stop.signal);
  stop.abort();
  expect(await stopped).toEqual({ kind: 'failed', what: 'timeout', detail: 'the step was broken off' });
});

test('a step without a visible effect is a fault of the kit', async () => {
  const waitForEffect = () => Promise.reject(new Error('nobody watches'));
  const adapter = await startAdapter(
    'http://127.0.0.1:9',
    { steps: { logout: { manual: 'Log out.' } } },
    { waitForEffect },
  );
  await expect(adapter.does('logout', session)).rejects.toThrow('nobody watches');
});

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
