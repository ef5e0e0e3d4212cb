import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { Recorder } from '../../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../../engine/journal/secrets/knowledge.ts';
import { startProxy } from '../../../../engine/wire/proxy.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

const STEP = { scenario: 'a scenario', user: 'Ann', step: 'requestOtp', label: 'asks' } as const;

/** An adapter behind a recording proxy. `ask` performs a step, and returns the header that the server got. */
async function bed(changes: Parameters<typeof startAdapter>[1] = {}) {
  const server = await startFakeServer();
  const recorder = new Recorder(systemClock, new Knowledge('auth', 'password', new Map()));
  const proxy = await startProxy({ link: 'client->auth', target: server.url, recorder, clock: systemClock });
  onTestFinished(() => proxy.stop());
  const adapter = await startAdapter(proxy.url, changes);
  const ask = async (seq = recorder.step(STEP).seq) => {
    await adapter.does('requestOtp', { phone: '79995550001', stepSeq: String(seq) });
    return { seq, got: server.received.at(-1)?.headers.traceparent };
  };
  const traces = () =>
    recorder.entries().flatMap((entry) => (entry.kind === 'exchange' ? [entry.trace] : []));
  return { adapter, server, ask, traces };
}

test('the server gets the trace that the journal names, one for each step', async () => {
  const { ask, traces } = await bed();
  const first = await ask();
  const again = await ask(first.seq);
  const next = await ask();
  const ids = [first, again, next].map(
    ({ got }) => /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(`${got}`)?.[1],
  );
  expect(traces()).toEqual(ids);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('the header that the adapter file sets is the one that is sent', async () => {
  const own = '00-11111111111111111111111111111111-2222222222222222-00';
  const { ask, traces } = await bed({
    steps: { requestOtp: { method: 'POST', path: '/otp', headers: { TraceParent: own } } },
  });
  expect((await ask()).got).toBe(own);
  expect(traces()).toEqual(['1'.repeat(32)]);
});

test('a step with the Origin of a page carries no trace', async () => {
  const { ask, traces } = await bed({
    steps: { requestOtp: { method: 'POST', path: '/otp', headers: { Origin: 'https://a.example' } } },
  });
  expect((await ask()).got).toBeUndefined();
  expect(traces()).toEqual([undefined]);
});

test('a batch of calls carries the trace of its step', async () => {
  const { adapter, server } = await bed({ steps: { requestOtp: { rpc: 'auth.request_otp' } } });
  await adapter.batchOf?.('requestOtp')?.([{ stepSeq: '5' }, { stepSeq: '6' }], new AbortController().signal);
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
});
