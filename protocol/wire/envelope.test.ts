import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { type Call, callText, type Malformed, readCalls, replyText } from './envelope.ts';
import { RpcError } from './errors.ts';

const right = { jsonrpc: '2.0', id: 1, method: 'a.b' };

proves(['D4-number-or-string', 'D3-null-id', 'D3-notification'], 'ids are text, number, null or none', () => {
  for (const id of [
    0,
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    '',
    '1',
    'ж'.repeat(256),
    null,
  ])
    expect(readOne({ ...right, id })).toMatchObject({ id, method: 'a.b' });
  const notification = { id: undefined, method: 'a.b', params: {}, cred: undefined };
  expect(readOne({ jsonrpc: '2.0', method: 'a.b' })).toStrictEqual(notification);
});

test('an id that cannot be echoed is refused under null', () => {
  const tooLong = JSON.stringify('x'.repeat(257));
  for (const id of ['true', '{}', '[1]', '1e999', '-1e999', '9007199254740993', '-9007199254740992', tooLong])
    expect(readText(`{"jsonrpc":"2.0","method":"a.b","id":${id}}`)).toEqual(malformed(null, /^id must be/));
});

proves(['DE-invalid-request'], 'a jsonrpc other than 2.0 is refused under its id', () => {
  for (const jsonrpc of [undefined, null, 2, '2', '2.00', '1.0', ' 2.0', ['2.0'], {}])
    expect(readOne({ ...right, id: 'x', jsonrpc })).toEqual(malformed('x', /^jsonrpc must be "2.0"\.$/));
});

proves(['DE-invalid-request'], 'a method that is missing, empty, too long or no string is refused', () => {
  for (const method of [undefined, null, '', 5, true, ['a.b'], { name: 'a.b' }, 'm'.repeat(257)])
    expect(readOne({ ...right, method })).toEqual(
      malformed(1, /^method must be a string of 1 to 256 characters\.$/),
    );
  expect(readOne({ ...right, method: 'm'.repeat(256) })).toMatchObject({ method: 'm'.repeat(256) });
});

proves(['D5-empty-params'], 'absent params and an empty list mean an empty object', () => {
  expect(readOne(right)).toMatchObject({ params: {} });
  expect(readOne({ ...right, params: [] })).toStrictEqual({
    id: 1,
    method: 'a.b',
    params: {},
    cred: undefined,
  });
  expect(readOne({ ...right, params: { a: [1] } })).toMatchObject({ params: { a: [1] } });
});

proves(['DE-invalid-request'], 'scalar params are refused, a list is left to the method', () => {
  for (const params of [null, 'text', '', 0, 1, true, false])
    expect(readOne({ ...right, params })).toEqual(malformed(1, /^params must be an object\.$/));
  expect(readOne({ ...right, params: [1, 2] })).toMatchObject({ params: [1, 2] });
});

proves(['D5-null-cred'], 'a null cred means none, an object stays, others are refused', () => {
  expect(readOne({ ...right, cred: null })).toMatchObject({ method: 'a.b', cred: undefined });
  expect(readOne({ ...right, cred: { user: 1, extra: [] } })).toMatchObject({ cred: { user: 1, extra: [] } });
  for (const cred of ['user', 1, true, [], [{ user: 'u', token: 't' }]])
    expect(readOne({ ...right, cred })).toEqual(malformed(1, /^cred must be an object or null\.$/));
});

proves(['D5-unknown-members'], 'members that the envelope does not know are ignored, of any kind', () => {
  const stray = {
    apiKey: null,
    version: { a: [1] },
    result: 1,
    error: 'x',
    Method: 'c.d',
    toString: 1,
    constructor: null,
  };
  expect(readOne({ ...stray, ...right })).toStrictEqual({
    id: 1,
    method: 'a.b',
    params: {},
    cred: undefined,
  });
});

test('a body that is neither an object nor a list is one malformed call', () => {
  for (const text of ['null', '1', '"a"', 'true'])
    expect(readText(text)).toEqual(malformed(null, /^A call must be an object\.$/));
});

proves(['4-id-as-string', 'D3-echo', 'D3-null-id'], 'a reply has the id as a string or as it came', () => {
  const rows = [
    [5, '5', 5],
    [-0.5, '-0.5', -0.5],
    [Number.MAX_SAFE_INTEGER, '9007199254740991', 9007199254740991],
    ['x', 'x', 'x'],
    ['', '', ''],
    [null, null, null],
  ] as const;
  const reply = { jsonrpc: '2.0', result: {} };
  for (const [id, asString, echoed] of rows) {
    expect(JSON.parse(replyText({ id, result: {} }, 'string'))).toStrictEqual({ ...reply, id: asString });
    expect(JSON.parse(replyText({ id, result: {} }, 'echo'))).toStrictEqual({ ...reply, id: echoed });
  }
  const error = new RpcError('session_expired').toObject();
  expect(JSON.parse(replyText({ id: 7, error }, 'string'))).toStrictEqual({ jsonrpc: '2.0', error, id: '7' });
});

test('a call as it is written is read back the same', () => {
  const call = { id: 3, method: 'a.b', params: { x: 1 }, cred: { user: 'u', token: 't' } };
  expect(readText(callText(call))).toStrictEqual(call);
  const bare = { jsonrpc: '2.0', method: 'a.b', params: {} };
  expect(JSON.parse(callText({ id: null, method: 'a.b' }))).toStrictEqual({ ...bare, id: null });
  expect(JSON.parse(callText({ method: 'a.b', cred: undefined }))).toStrictEqual(bare);
});

function malformed(id: string | number | null, sentence: RegExp) {
  const error = expect.objectContaining({
    reason: 'invalid_request',
    errors: [expect.stringMatching(sentence)],
  });
  return { id, error };
}

function readText(text: string): Call | Malformed {
  const { batch, calls } = readCalls(text);
  expect([batch, calls.length]).toEqual([false, 1]);
  return calls[0] as Call | Malformed;
}

function readOne(message: Record<string, unknown>): Call | Malformed {
  return readText(JSON.stringify(message));
}
