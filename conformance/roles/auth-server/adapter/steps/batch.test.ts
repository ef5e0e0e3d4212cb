import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { serve } from '#service/http/testing.ts';
import type { RpcStep } from '../../../../engine/party/file/step-schema.ts';
import { sendBatch } from './step-calls.ts';

const STEP = {
  rpc: 'auth.confirm_otp',
  params: { code: '${code}' },
  extract: { user: '/result/user', token: '/result/token' },
} as RpcStep;

type BatchCall = { id: number; method: string; params: { code: string } };

/** Sends two sign-ins to a server that answers a body with `reply`. */
async function batchOf(reply: (calls: BatchCall[]) => unknown, status = 200) {
  const sent: { body: string; step: string }[] = [];
  const { url: baseUrl } = await serve(async (request, response) => {
    const body = await text(request);
    sent.push({ body, step: String(request.headers['x-step']) });
    response.writeHead(status).end(JSON.stringify(reply(JSON.parse(body) as BatchCall[])));
  });
  const answer = await sendBatch(STEP, [{ code: '111111' }, { code: '222222' }], {
    firstId: 7,
    baseUrl,
    ofStep: (headers) => [...headers, ['x-step', '3']],
    required: ['user', 'token'],
    send: { clock: systemClock, timeoutMs: 80_000 },
  });
  return { answer, sent };
}

const refusedAs = (id: number) => ({ jsonrpc: '2.0', id, error: { code: -35001, message: 'Wrong code.' } });

test('the calls go as one body, and answers are matched by id', async () => {
  const { answer, sent } = await batchOf((calls) =>
    calls
      .map(({ id, params }) =>
        params.code === '222222' ? { jsonrpc: '2.0', id, result: { user: 'u', token: 't' } } : refusedAs(id),
      )
      .reverse(),
  );
  expect(sent).toHaveLength(1);
  expect(sent[0]?.step).toBe('3');
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject([
    { id: 7, method: 'auth.confirm_otp', params: { code: '111111' } },
    { id: 8, params: { code: '222222' } },
  ]);
  expect(answer.taken).toBe(true);
  expect(answer.results).toMatchObject([
    { kind: 'refused', code: '-35001' },
    { kind: 'done', values: { user: 'u', token: 't' } },
  ]);
});

test.each([
  [
    'refuses it as a whole',
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches.' } },
    200,
  ],
  ['answers with a page', 'no', 400],
  ['leaves out a call', [refusedAs(7)], 200],
  ['answers as if it were one call', { jsonrpc: '2.0', id: 7, result: { user: 'u', token: 't' } }, 200],
])('a server that %s has not taken the batch', async (_what, reply, status) => {
  const { answer } = await batchOf(() => reply, status);
  expect(answer.taken).toBe(false);
  expect(answer.results).toHaveLength(2);
  expect(answer.results.filter(({ kind }) => kind === 'done')).toEqual([]);
});
