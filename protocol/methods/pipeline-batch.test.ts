import { expect } from 'vitest';
import { proves } from '#testing/proves.ts';
import { clientCall, TROUBLE, testPipeline } from './testing-pipeline.ts';

proves(['D6-batch'], 'a batch is answered in the order of its calls', async () => {
  const { ask } = testPipeline();
  const replies = await ask([
    clientCall({ id: 'b', params: { n: 2 } }),
    5,
    clientCall({ id: 'a', params: { n: TROUBLE.broken } }),
    clientCall({ id: undefined }),
    clientCall({ id: 'c', method: 'test.nothing' }),
    clientCall({ id: 'd', params: { n: 4 } }),
  ]);
  expect(replies).toMatchObject([
    { id: 'b', result: { n: 2 } },
    { id: null, error: { data: { reason: 'invalid_request' } } },
    { id: 'a', error: { data: { reason: 'internal_error' } } },
    { id: 'c', error: { data: { reason: 'method_not_found' } } },
    { id: 'd', result: { n: 4 } },
  ]);
});

proves(['D6-batch'], 'the calls of a batch are carried out one after the other', async () => {
  const { ask, trace } = testPipeline();
  await ask([
    clientCall({ params: { n: 1 } }),
    clientCall({ params: { n: TROUBLE.refused } }),
    clientCall({ params: { n: 3 } }),
  ]);
  expect(trace.filter((step) => !step.startsWith('verify'))).toEqual([
    ...['start 1', 'end 1'],
    ...['start 401', 'end 401'],
    ...['start 3', 'end 3'],
  ]);
});

proves(['D6-batch'], 'a batch of one call is answered with a list of one reply', async () =>
  expect(await testPipeline().ask([clientCall()])).toMatchObject([{ id: 1, result: { n: 1 } }]),
);

proves(['D6-batch', 'D3-notification'], 'a batch of notifications is done and not answered', async () => {
  const { ask, trace } = testPipeline();
  expect(
    await ask([clientCall({ id: undefined }), clientCall({ id: undefined, params: { n: 2 } })]),
  ).toBeUndefined();
  expect(trace).toContain('end 2');
});

proves(['D6-batch-limit'], 'a batch of 100 calls is served, one of 101 is refused whole', async () => {
  const { ask, trace, reports } = testPipeline();
  const batch = (length: number) => new Array(length).fill(clientCall({ method: 'test.open' }));
  expect(await ask(batch(100))).toHaveLength(100);
  trace.splice(0);
  reports.splice(0);
  expect(await ask(batch(101))).toMatchObject({
    id: null,
    error: { code: -32600, data: { reason: 'invalid_request' } },
  });
  expect(trace).toEqual([]);
  expect(reports).toMatchObject([{ reason: 'invalid_request' }]);
});

proves(['DE-invalid-request'], 'an empty batch and JSON without an envelope get one reply each', async () => {
  const { ask } = testPipeline();
  for (const message of [[], 5, 'null', '"text"', {}])
    expect(await ask(message)).toMatchObject({
      id: null,
      error: { code: -32600, data: { reason: 'invalid_request' } },
    });
});
