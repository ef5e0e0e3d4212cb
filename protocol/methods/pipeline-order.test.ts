/** Which of several faults of a call is refused: the one that the pipeline finds first. */
import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { clientCall, DIGEST, TROUBLE, testPipeline } from '../testing.ts';
import type { Channel } from './pipeline.ts';

const stranger = { user: 'stranger', token: 't' };
const internal = { method: 'test.internal', cred: { user: 'auth-server', token: DIGEST } };

/** The reason of the first fault that is found. */
async function reasonOf(message: unknown, channel: Channel = 'public'): Promise<string | undefined> {
  const reply = await testPipeline().ask(message, channel);
  return reply?.error?.data.reason;
}

test('each fault of the calls below is found when it is the only one', async () => {
  expect(await reasonOf(clientCall())).toBeUndefined();
  expect(await reasonOf('{')).toBe('parse_error');
  expect(await reasonOf(clientCall({ jsonrpc: '1.0' }))).toBe('invalid_request');
  expect(await reasonOf(clientCall({ method: 'test.nothing' }))).toBe('method_not_found');
  expect(await reasonOf(clientCall(internal))).toBe('access_forbidden');
  expect(await reasonOf(clientCall(internal), 'internal')).toBeUndefined();
  expect(await reasonOf(clientCall({ cred: { user: 'u' } }))).toBe('not_authorized');
  expect(await reasonOf(clientCall({ params: { n: 0 } }))).toBe('invalid_params');
  expect(await reasonOf(clientCall({ cred: stranger }))).toBe('not_authorized');
  expect(await reasonOf(clientCall({ params: { n: TROUBLE.refused } }))).toBe('session_expired');
});

proves(['D8-envelope-before-method'], 'a malformed envelope comes before an unknown method', async () => {
  expect(await reasonOf(clientCall({ jsonrpc: '1.0', method: 'test.nothing' }))).toBe('invalid_request');
  expect(await reasonOf(clientCall({ params: 'x', method: 'test.nothing' }))).toBe('invalid_request');
  expect(await reasonOf(clientCall({ cred: 'x', method: 'test.nothing' }))).toBe('invalid_request');
});

proves(['D8-method-before-cred'], 'an unknown method is refused for any channel and cred', async () => {
  for (const channel of ['public', 'internal', 'any'] as const)
    for (const cred of [null, {}, stranger])
      expect(await reasonOf(clientCall({ method: 'test.nothing', cred }), channel)).toBe('method_not_found');
});

proves(['D8-channel-before-cred'], 'a method on the wrong channel is refused with any cred', async () => {
  for (const cred of [undefined, null, {}, { user: 5 }, { user: 'auth-server', token: 'no digest' }]) {
    expect(await reasonOf(clientCall({ method: 'test.internal', cred }))).toBe('access_forbidden');
    expect(await reasonOf(clientCall({ cred }), 'internal')).toBe('access_forbidden');
  }
});

proves(['D8-cred-shape-before-params'], 'a missing or malformed cred is told before the params', async () => {
  for (const cred of [undefined, null, {}, { user: 'u' }, { user: '', token: 't' }, { user: 'u', token: 5 }])
    expect(await reasonOf(clientCall({ cred, params: { n: 'wrong' } }))).toBe('not_authorized');
  const cred = { user: 'auth-server', token: DIGEST.toUpperCase() };
  expect(await reasonOf(clientCall({ method: 'test.internal', cred, params: {} }), 'internal')).toBe(
    'not_authorized',
  );
});

proves(['D8-params-before-cred-verified'], 'wrong params are refused before cred is verified', async () => {
  const { ask, trace } = testPipeline();
  for (const params of [{ n: 0 }, {}, [1], undefined]) {
    const reply = await ask(clientCall({ cred: stranger, params }), 'public');
    expect(reply?.error?.data.reason).toBe('invalid_params');
  }
  expect(trace).toEqual([]);
});

proves(['D8-cred-verified-before-method'], 'a cred that does not verify stops the method', async () => {
  const { ask, trace } = testPipeline();
  const reply = await ask(clientCall({ cred: stranger, params: { n: TROUBLE.refused } }), 'public');
  expect(reply?.error?.data.reason).toBe('not_authorized');
  expect(trace).toEqual(['verify session']);
});
