import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { clientCall, DIGEST, session, TROUBLE, testMethods, testPipeline } from '../testing.ts';
import { type CallReport, createPipeline, onText, whenKnown } from './pipeline.ts';

proves(['D3-notification'], 'a notification is carried out and not answered, even if it fails', async () => {
  const { ask, trace, reports } = testPipeline();
  for (const n of [1, TROUBLE.refused, TROUBLE.broken])
    expect(await ask(clientCall({ id: undefined, params: { n } }))).toBeUndefined();
  expect(await ask(clientCall({ id: undefined, method: 'test.nothing' }))).toBeUndefined();
  const ends = trace.filter((step) => step.startsWith('end'));
  expect(ends).toEqual(['end 1', `end ${TROUBLE.refused}`, `end ${TROUBLE.broken}`]);
  expect(reports.map(({ reason }) => reason)).toEqual([
    undefined,
    'session_expired',
    'internal_error',
    'method_not_found',
  ]);
});

proves(['DE-access-forbidden', 'X-internal-listener'], 'a method is served on its channel', async () => {
  const { ask } = testPipeline();
  const served = [
    ['test.open', 'public', true],
    ['test.open', 'internal', true],
    ['test.open', 'any', true],
    ['test.client', 'public', true],
    ['test.client', 'internal', false],
    ['test.client', 'any', true],
    ['test.internal', 'public', false],
    ['test.internal', 'internal', true],
    ['test.internal', 'any', true],
  ] as const;
  for (const [method, channel, isServed] of served) {
    const reply = await ask(clientCall({ method, cred: { user: 'auth-server', token: DIGEST } }), channel);
    expect([method, channel, reply?.error?.code]).toEqual([method, channel, isServed ? undefined : -33403]);
  }
});

proves(['DE-not-authorized'], 'a missing or malformed cred is refused', async () => {
  const { ask, trace } = testPipeline();
  const rows: [unknown, RegExp][] = [
    [undefined, /^cred is missing\.$/],
    [null, /^cred is missing\.$/],
    [{}, /^cred\.user must be a string of 1 to 512 characters\.$/],
    ...['', 5, null, ['u'], 'u'.repeat(513)].map((user): [unknown, RegExp] => [
      { user, token: 't' },
      /^cred\.user must/,
    ]),
    ...['', 5, null, {}, 't'.repeat(513)].map((token): [unknown, RegExp] => [
      { user: 'u', token },
      /^cred\.token must/,
    ]),
  ];
  for (const [cred, sentence] of rows) {
    const data = { reason: 'not_authorized', errors: [expect.stringMatching(sentence)] };
    expect(await ask(clientCall({ cred }))).toMatchObject({ error: { code: -33000, data } });
  }
  expect(trace).toEqual([]);
  expect(await ask(clientCall({ cred: { user: 'u'.repeat(512), token: ' '.repeat(512) } }))).toMatchObject({
    result: { n: 1 },
  });
});

proves(['DE-not-authorized'], 'an internal call needs a digest of 40 characters', async () => {
  const { ask, trace } = testPipeline();
  for (const token of [
    DIGEST.toUpperCase(),
    DIGEST.slice(1),
    `${DIGEST}0`,
    `${DIGEST}\n`,
    `g${DIGEST.slice(1)}`,
  ]) {
    const reply = await ask(clientCall({ method: 'test.internal', cred: { user: 'a', token } }), 'internal');
    expect(reply?.error?.data).toMatchObject({
      reason: 'not_authorized',
      errors: [expect.stringContaining('SHA-1 digest')],
    });
  }
  expect(trace).toEqual([]);
});

proves(['D5-unknown-members', 'D5-null-cred'], 'a call is verified by known members alone', async () => {
  const { ask, verified } = testPipeline();
  await ask(clientCall({ apiKey: null, params: { n: 2, more: [1] }, cred: { ...session, more: 1 } }));
  for (const cred of [undefined, null, { user: 'u', token: 't' }, { user: 5 }])
    await ask(clientCall({ method: 'test.open', cred }));
  expect(verified).toStrictEqual([
    { kind: 'session', cred: session, params: { n: 2 } },
    ...new Array(4).fill({ kind: 'none', cred: { user: '', token: '' }, params: {} }),
  ]);
});

proves(['DE-method-not-found'], 'names that every object has are no methods', async () => {
  const { ask } = testPipeline();
  for (const method of [
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'test',
    'Test.client',
    'test.client ',
  ])
    expect(await ask(clientCall({ method }))).toMatchObject({
      error: { code: -32601, data: { reason: 'method_not_found' } },
    });
});

proves(['DE-shape', 'DE-errors-list', 'DE-invalid-params'], 'wrong params are named one by one', async () => {
  const { ask } = testPipeline();
  expect((await ask(clientCall({ params: { n: 0 } })))?.error).toStrictEqual({
    code: -32602,
    message: 'The parameters are not what this method takes.',
    data: { reason: 'invalid_params', errors: [expect.stringMatching(/^params\.n: /)] },
  });
  expect((await ask(clientCall({ params: [1] })))?.error?.data.errors).toEqual([
    expect.stringMatching(/^params: /),
  ]);
});

proves(['DE-no-secrets-echoed'], 'neither a refusal nor a report repeats what was sent', async () => {
  const { pipeline, reports } = testPipeline();
  const canary = 'c4n4ry';
  for (const text of [
    `{"${canary}`,
    `["${canary}", "\\ud800"]`,
    JSON.stringify(clientCall({ jsonrpc: canary })),
    JSON.stringify(clientCall({ method: canary, params: canary, cred: canary })),
    JSON.stringify(clientCall({ params: { n: canary }, [canary]: 1 })),
    JSON.stringify(clientCall({ cred: { user: canary, token: 5 } })),
    JSON.stringify(clientCall({ method: 'test.internal', cred: { user: canary, token: canary } })),
    JSON.stringify(clientCall({ cred: { user: 'stranger', token: canary } })),
    JSON.stringify(
      clientCall({ params: { n: TROUBLE.refused, [canary]: canary }, cred: { user: canary, token: canary } }),
    ),
    JSON.stringify(
      clientCall({ params: { n: TROUBLE.broken, [canary]: canary }, cred: { user: canary, token: canary } }),
    ),
  ]) {
    const { body } = await onText(pipeline)(text, 'any');
    expect(body).toContain('"error"');
    expect(body).not.toContain(canary);
  }
  expect(reports).toHaveLength(10);
  for (const report of reports) {
    expect(
      Object.keys(report).filter((name) => !['method', 'channel', 'reason', 'cause'].includes(name)),
    ).toEqual([]);
    expect(`${JSON.stringify(report)} ${String(report.cause)}`).not.toContain(canary);
  }
});

proves(['DE-internal-error', 'DE-internal-error-silent'], 'a failure is sent without its cause', async () => {
  for (const n of [TROUBLE.broken, TROUBLE.unwritable]) {
    const { pipeline, reports } = testPipeline();
    const { body = '' } = await onText(pipeline)(JSON.stringify(clientCall({ params: { n } })), 'any');
    const data = { reason: 'internal_error' };
    const error = { code: -32603, message: 'The server failed to carry out the call.', data };
    expect(JSON.parse(body)).toStrictEqual({ jsonrpc: '2.0', error, id: 1 });
    expect(reports).toMatchObject([
      { method: 'test.client', reason: 'internal_error', cause: expect.any(Error) },
    ]);
  }
});

test('whatever text comes, a pipeline answers, and never rejects', async () => {
  const { pipeline } = testPipeline();
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom('test.open', 'test.client', 'test.internal', 'toString'),
      params: fc.oneof(fc.record({ n: fc.constantFrom(1, ...Object.values(TROUBLE)) }), fc.jsonValue()),
      cred: fc.oneof(fc.constant(session), fc.jsonValue()),
    },
    { requiredKeys: ['jsonrpc', 'id', 'method'] },
  );
  const text = fc.oneof(
    fc.string(),
    message.map((value) => JSON.stringify(value)),
    fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('public', 'internal', 'any'), async (input, channel) => {
      const { body = '' } = await onText(pipeline)(input, channel);
      for (const reply of [JSON.parse(body)].flat())
        expect(Object.keys(reply)).toEqual(['jsonrpc', expect.stringMatching(/^(result|error)$/), 'id']);
    }),
    { numRuns: 300 },
  );
});

/** A pipeline in which every method answers 1 at once. */
function plainPipeline(more: { onCall?: (report: CallReport) => void; stopwatch?: () => number } = {}) {
  const run = () => ({ n: 1, at: 1 });
  const pipeline = createPipeline({
    methods: testMethods,
    replyId: 'echo',
    verify: () => undefined,
    run: { 'test.open': run, 'test.client': run, 'test.internal': run },
    ...more,
  });
  return onText(pipeline);
}

test('a call is reported with its duration where there is a stopwatch', async () => {
  const reports: CallReport[] = [];
  const onCall = (one: CallReport) => void reports.push(one);
  let time = 100;
  const stopwatch = () => (time += 7);
  await plainPipeline({ onCall, stopwatch })(JSON.stringify(clientCall()), 'any');
  await plainPipeline({ onCall })(JSON.stringify(clientCall()), 'public');
  await plainPipeline({ onCall })('[1]', 'internal');
  const told = { method: 'test.client', reason: undefined, cause: undefined };
  expect(reports).toStrictEqual([
    { ...told, channel: 'any', durationMs: 7 },
    { ...told, channel: 'public' },
    { ...told, method: '', channel: 'internal', reason: 'invalid_request' },
  ]);
  const silent = await plainPipeline()(JSON.stringify(clientCall()), 'any');
  expect(JSON.parse(silent.body ?? '')).toMatchObject({ result: { n: 1 } });
});

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
    ...[`start ${TROUBLE.refused}`, `end ${TROUBLE.refused}`],
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

test('whenKnown hands on a present value at once, a promised one later', async () => {
  expect(whenKnown(2, (value) => value * 3)).toBe(6);
  expect(
    await whenKnown(Promise.resolve(2), (value) => whenKnown(value * 3, (six) => Promise.resolve(`${six}`))),
  ).toBe('6');
  const fail = () => {
    throw new RangeError('no');
  };
  expect(() => whenKnown(2, fail)).toThrow(RangeError);
  await expect(whenKnown(Promise.resolve(2), fail)).rejects.toThrow(RangeError);
});
