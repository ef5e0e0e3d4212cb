import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { Recorder } from '../../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../../engine/journal/secrets/knowledge.ts';
import { startProxy } from '../../../../engine/wire/proxy.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { startAdapter } from '../testing/start-adapter.ts';

test('the server gets the trace that the journal names, in a batch too', async () => {
  const server = await startFakeServer();
  const recorder = new Recorder(systemClock, new Knowledge('auth', 'password', new Map()));
  const proxy = await startProxy({ link: 'client->auth', target: server.url, recorder, clock: systemClock });
  onTestFinished(() => proxy.stop());
  const adapter = await startAdapter(proxy.url, { steps: { requestOtp: { rpc: 'auth.request_otp' } } });
  const step = { scenario: 'a scenario', user: 'Ann', step: 'requestOtp', label: 'asks' } as const;
  const stepSeq = String(recorder.step(step).seq);
  await adapter.does('requestOtp', { phone: '79995550001', stepSeq });
  await adapter.batchOf?.('requestOtp')?.([{ stepSeq }, { stepSeq: '6' }], new AbortController().signal);
  const traces = recorder.entries().flatMap((entry) => (entry.kind === 'exchange' ? [entry.trace] : []));
  expect(traces).toHaveLength(2);
  expect(server.received.map(({ headers }) => headers.traceparent)).toEqual(
    traces.map((trace) => expect.stringMatching(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))),
  );
});
