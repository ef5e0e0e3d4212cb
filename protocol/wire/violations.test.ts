import { expect, test } from 'vitest';
import { authMethods } from '../methods/auth-methods.ts';
import { ehrMethods } from '../methods/ehr-methods.ts';
import { onText } from '../methods/pipeline.ts';
import { clientCall, testMethods, testPipeline } from '../testing.ts';
import { callText } from './envelope.ts';
import { RpcError } from './errors.ts';
import { violationsOf } from './violations.ts';

const call = JSON.stringify(clientCall());
const notification = JSON.stringify(clientCall({ id: undefined }));
const right = { jsonrpc: '2.0', result: { n: 1 }, id: '1' };

/** The violations of an exchange. Whatever is not given is correct. */
function violations({
  status = 200,
  request = call,
  reply = right,
}: {
  status?: number;
  request?: unknown;
  reply?: unknown;
}): string[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return violationsOf({ status, request: text(request), reply: text(reply) }, testMethods);
}

function refusal(reason: ConstructorParameters<typeof RpcError>[0], id: string | number | null = 1) {
  return { jsonrpc: '2.0', error: new RpcError(reason).toObject(), id };
}

test('whatever a pipeline answers keeps the contract', async () => {
  const { pipeline } = testPipeline('string');
  for (const message of [
    clientCall(),
    clientCall({ id: null }),
    clientCall({ id: undefined }),
    clientCall({ method: 'test.open', params: [] }),
    clientCall({ method: 'test.nothing' }),
    clientCall({ params: { n: 'x' } }),
    clientCall({ cred: { user: 'stranger', token: 't' } }),
    clientCall({ params: { n: 401 } }),
    clientCall({ jsonrpc: '1.0' }),
    clientCall({ id: {} }),
    [clientCall(), 5, clientCall({ id: undefined }), clientCall({ id: 'x', method: 'test.open' })],
    [clientCall({ id: undefined })],
    [],
    '{',
    '',
  ]) {
    const request = typeof message === 'string' ? message : JSON.stringify(message);
    const { body } = await onText(pipeline)(request, 'any');
    const exchange = { status: body === undefined ? 204 : 200, request, reply: body ?? '' };
    expect([request, violationsOf(exchange, testMethods)]).toEqual([request, []]);
  }
});

test('the examples of both method tables keep the contract', () => {
  for (const table of [ehrMethods, authMethods])
    for (const [method, { example }] of Object.entries(table)) {
      const request = callText({ id: 1, method, ...example });
      const reply = JSON.stringify({ jsonrpc: '2.0', result: example.result, id: 1 });
      expect([method, violationsOf({ status: 200, request, reply }, table)]).toEqual([method, []]);
    }
});

test('a transport fault and a preflight keep the contract', () => {
  for (const status of [404, 405, 413, 415, 429])
    expect(violations({ status, reply: '{"error":{}}' })).toEqual([]);
  expect(violations({ status: 204, request: '', reply: '' })).toEqual([]);
});

test('a refusal before the parameters may come with any parameters', () => {
  const request = clientCall({ params: { n: 'x' } });
  for (const reason of ['access_forbidden', 'not_authorized', 'invalid_params'] as const)
    expect([reason, violations({ request, reply: refusal(reason) })]).toEqual([reason, []]);
});

const two = [clientCall(), clientCall({ id: 2 })];
const wrong: [string, Parameters<typeof violations>[0]][] = [
  ['A 204 carries a body.', { status: 204, request: notification, reply: ' ' }],
  ['A call that asks for a reply was answered with HTTP 204.', { status: 204, reply: '' }],
  ['A call that asks for a reply was answered with HTTP 204.', { status: 204, request: '{', reply: '' }],
  [
    'A call that asks for a reply was answered with HTTP 204.',
    { status: 204, request: [clientCall({ id: undefined }), clientCall()], reply: '' },
  ],
  ['An HTTP 200 carries no JSON body.', { reply: '' }],
  ['An HTTP 200 carries no JSON body.', { reply: '<html>' }],
  ['An HTTP 404 carries no JSON body.', { status: 404, reply: 'Not Found' }],
  ['An HTTP 500 is no way to answer a call.', { status: 500, reply: '{}' }],
  ['An HTTP 400 is no way to answer a call.', { status: 400, reply: refusal('invalid_params') }],
  ['A notification was answered.', { request: notification }],
  ['A batch was answered with a single reply.', { request: two }],
  ['A batch with 2 calls to answer got 1 replies.', { request: two, reply: [right] }],
  ['A reply is not an object.', { reply: [right] }],
  ['A reply is not an object.', { reply: 'null' }],
  ['A reply lacks jsonrpc "2.0".', { reply: { ...right, jsonrpc: '1.0' } }],
  ['A reply lacks its id.', { reply: { ...right, id: undefined } }],
  ['A reply carries the id of another call.', { reply: { ...right, id: '2' } }],
  ['A reply carries the id of another call.', { reply: { ...right, id: null } }],
  [
    'A reply carries the id of another call.',
    { request: clientCall({ id: null }), reply: { ...right, id: 'null' } },
  ],
  ['A reply has members JSON-RPC does not know: extra.', { reply: { ...right, extra: 1 } }],
  [
    'A reply must have either a result or an error.',
    { reply: { ...right, error: refusal('session_expired').error } },
  ],
  [
    'A request that is to be refused as method_not_found was answered with a result.',
    { request: clientCall({ method: 'test.nothing' }) },
  ],
  [
    'A request that is to be refused as invalid_request was answered with a result.',
    { request: clientCall({ jsonrpc: '1' }) },
  ],
  [
    'A request that is to be refused as parse_error was answered with a result.',
    { request: '{', reply: { ...right, id: null } },
  ],
  [
    'A call with parameters that do not fit was answered with a result.',
    { request: clientCall({ params: { n: 0 } }) },
  ],
  ['result.n: Invalid input: expected number, received string', { reply: { ...right, result: { n: 'x' } } }],
  ['result: Invalid input: expected object, received null', { reply: { ...right, result: null } }],
  ['result.secret is not declared for this method.', { reply: { ...right, result: { n: 1, secret: 's' } } }],
  [
    'result.list.1.b is not declared for this method.',
    { reply: { ...right, result: { n: 1, list: [{ a: 1 }, { a: 1, b: null }] } } },
  ],
  ['An error lacks its data.', { reply: { ...refusal('session_expired'), error: null } }],
  [
    'An error lacks its data.',
    { reply: { ...refusal('session_expired'), error: { code: -33001, message: 'x' } } },
  ],
  [
    'An error carries a reason that is not in the table.',
    { reply: withError({ data: { reason: 'toString' } }) },
  ],
  [
    'The reason session_expired came with code -33000 and not -33001.',
    { reply: withError({ code: -33000 }) },
  ],
  [
    'The reason session_expired came with another message.',
    { reply: withError({ message: 'The session of Anna has expired.' }) },
  ],
  [
    'error.data.errors is not a list of sentences.',
    { reply: withError({ data: { reason: 'session_expired', errors: 'x' } }) },
  ],
  [
    'error.data.errors is not a list of sentences.',
    { reply: withError({ data: { reason: 'session_expired', errors: [{}] } }) },
  ],
  ['The server answered internal_error.', { reply: refusal('internal_error') }],
  ['The reason otp_wrong is not declared for this method.', { reply: refusal('otp_wrong') }],
  [
    'The reason session_expired came where method_not_found was due.',
    { request: clientCall({ method: 'test.nothing' }), reply: refusal('session_expired') },
  ],
  [
    'The reason invalid_request came where parse_error was due.',
    { request: '{', reply: refusal('invalid_request', null) },
  ],
  [
    'The reason session_expired came although the parameters do not fit (decision 8).',
    { request: clientCall({ params: {} }), reply: refusal('session_expired') },
  ],
];

test('every kind of violation is told in a sentence of its own', () => {
  for (const [sentence, exchange] of wrong) expect(violations(exchange)).toEqual([sentence]);
});

test('a violation is found in each reply of a batch, by its call', () => {
  const request = [
    clientCall(),
    5,
    clientCall({ id: undefined }),
    clientCall({ id: 'x', method: 'test.open' }),
  ];
  const malformed = refusal('invalid_request', null);
  const opened = { jsonrpc: '2.0', result: { at: 1 }, id: 'x' };
  expect(violations({ request, reply: [right, malformed, opened] })).toEqual([]);
  expect(violations({ request, reply: [malformed, right, opened] })).toEqual([
    'A reply carries the id of another call.',
    'A reply carries the id of another call.',
    'A request that is to be refused as invalid_request was answered with a result.',
  ]);
  expect(violations({ request, reply: [right, malformed, { ...opened, result: { at: 'x' } }] })).toHaveLength(
    1,
  );
});

test('several violations of one reply are all told', () =>
  expect(violations({ reply: { result: {}, more: 1 } })).toHaveLength(4));

/** A refusal whose error has a defect. */
function withError(wrong: Record<string, unknown>) {
  const reply = refusal('session_expired');
  return { ...reply, error: { ...reply.error, ...wrong } };
}
