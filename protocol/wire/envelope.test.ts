import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { proves } from '#testing/proves.ts';
import {
  type Call,
  callText,
  type Incoming,
  isMalformed,
  isObject,
  isSameId,
  type Malformed,
  readCalls,
  readReply,
  replyText,
} from './envelope.ts';
import { RpcError } from './errors.ts';
import { tryJson } from './json.ts';

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
  const tooLarge = '9'.repeat(257);
  for (const id of ['true', '{}', '[1]', '1e999', '-1e999', tooLarge, tooLong])
    expect(readText(`{"jsonrpc":"2.0","method":"a.b","id":${id}}`)).toEqual(malformed(null, /^id must be/));
});

proves(['D4-number-or-string', 'D3-echo'], 'a number beyond 2^53 is echoed by its digits', () => {
  for (const id of ['9007199254740993', '-9007199254740992', '1234567890127651094', '9'.repeat(256)]) {
    const call = readText(`{"jsonrpc":"2.0","id":${id},"method":"a.b","params":{"n":${id}}}`);
    if (isMalformed(call)) throw call.error;
    expect(call.params).toEqual({ n: Number(id) });
    const reply = { id: call.id ?? null, result: {} };
    expect(replyText(reply, 'echo')).toBe(`{"jsonrpc":"2.0","result":{},"id":${id}}`);
    expect(replyText(reply, 'string')).toBe(`{"jsonrpc":"2.0","result":{},"id":"${id}"}`);
    expect(readReply(replyText(reply, 'echo'), call.id ?? null)).toEqual({ result: {} });
  }
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

proves(['DE-invalid-request'], 'a body that is no object is one malformed call, an empty list none', () => {
  for (const text of ['null', '1', '"a"', 'true'])
    expect(readText(text)).toEqual(malformed(null, /^A call must be an object\.$/));
  expect(() => readCalls('[]')).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
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
  const call = { method: 'a.b', params: { x: 1 }, cred: { user: 'u', token: 't' } };
  for (const id of [3, 1234567890127651094n])
    expect(readText(callText({ ...call, id }))).toStrictEqual({ ...call, id });
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

const text = (reply: unknown) => JSON.stringify(reply);

test('a result is read under its id as number, string or null', () => {
  expect(readReply(text({ jsonrpc: '2.0', result: { a: 1 }, id: 7 }), 7)).toStrictEqual({ result: { a: 1 } });
  expect(readReply(text({ jsonrpc: '2.0', result: { a: 1 }, id: '7' }), 7)).toStrictEqual({
    result: { a: 1 },
  });
  expect(readReply(text({ jsonrpc: '2.0', result: null, id: 'x', extra: 1 }), 'x')).toStrictEqual({
    result: null,
  });
  expect(readReply(text({ jsonrpc: '2.0', result: {}, id: null }), null)).toStrictEqual({ result: {} });
});

test('an error is read with its code, its message and its data', () => {
  const error = { code: -33000, message: 'No.', data: { reason: 'not_authorized' } };
  expect(readReply(text({ jsonrpc: '2.0', error, id: '7' }), 7)).toStrictEqual({ error });
});

test('a null error is no error, and beside an error null is no result', () => {
  const result = { a: 1 };
  expect(readReply(text({ jsonrpc: '2.0', result, error: null, id: 7 }), 7)).toStrictEqual({ result });
  const error = { code: 1, message: 'x' };
  expect(readReply(text({ jsonrpc: '2.0', result: null, error, id: 7 }), 7)).toStrictEqual({ error });
});

test('an error without an id is the answer', () => {
  const error = { code: -32700, message: 'The body is not JSON.' };
  expect(readReply(text({ jsonrpc: '2.0', error, id: null }), 7)).toStrictEqual({ error });
});

test('what is no reply to the call is refused, and the sentence says why', () => {
  const result = { jsonrpc: '2.0', result: {}, id: 7 };
  const error = (value: unknown) => ({ jsonrpc: '2.0', error: value, id: 7 });
  const rows: [unknown, RegExp][] = [
    [[], /not a JSON-RPC 2.0 object/],
    [[result], /not a JSON-RPC 2.0 object/],
    [null, /not a JSON-RPC 2.0 object/],
    ['ok', /not a JSON-RPC 2.0 object/],
    [{ ...result, jsonrpc: '1.0' }, /not a JSON-RPC 2.0 object/],
    [{ result: {}, id: 7 }, /not a JSON-RPC 2.0 object/],
    [{ ...result, id: 8 }, /answers another call/],
    [{ ...result, id: '07' }, /answers another call/],
    [{ ...result, id: [7] }, /answers another call/],
    [{ ...result, id: { toString: 7 } }, /answers another call/],
    [{ ...result, id: null }, /answers another call/],
    [{ jsonrpc: '2.0', result: {} }, /answers another call/],
    [{ jsonrpc: '2.0', error: { code: 1, message: 'x' } }, /answers another call/],
    [{ jsonrpc: '2.0', error: { code: 1, message: 'x' }, id: 8 }, /answers another call/],
    [{ jsonrpc: '2.0', id: 7 }, /either a result or an error/],
    [{ ...result, error: { code: 1, message: 'x' } }, /either a result or an error/],
    [error(null), /lacks its code or message/],
    [error('x'), /lacks its code or message/],
    [error([]), /lacks its code or message/],
    [error({ message: 'x' }), /lacks its code or message/],
    [error({ code: '1', message: 'x' }), /lacks its code or message/],
    [error({ code: 1.5, message: 'x' }), /lacks its code or message/],
    [error({ code: 1 }), /lacks its code or message/],
  ];
  for (const [reply, sentence] of rows) {
    expect(() => readReply(text(reply), 7), text(reply)).toThrow(TypeError);
    expect(() => readReply(text(reply), 7), text(reply)).toThrow(sentence);
  }
});

test('a reply that is not JSON is refused without being quoted', () => {
  for (const broken of ['', '<html>secret</html>', '{"jsonrpc":"2.0","result":"secret"']) {
    const read = () => readReply(broken, 7);
    expect(read).toThrow('The reply is not JSON.');
    expect(read).not.toThrow(expect.objectContaining({ cause: expect.anything() }));
  }
});

test('whatever comes back, it is read or refused as a TypeError', () => {
  const any = fc.jsonValue({ maxDepth: 3 });
  const member = <T>(usual: T) => fc.oneof(fc.constant(usual), any);
  const reply = fc.record(
    { jsonrpc: member('2.0'), id: member(7), result: any, error: member({ code: 1, message: 'x' }) },
    { requiredKeys: [] },
  );
  const input = fc.oneof(fc.string(), any.map(text), reply.map(text));
  fc.assert(
    fc.property(input, (received) => {
      try {
        expect(Object.keys(readReply(received, 7))).toHaveLength(1);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('an id is the same as number and string; null is null', () => {
  expect([
    isSameId('7', 7),
    isSameId(7, '7'),
    isSameId(7, 7),
    isSameId('x', 'x'),
    isSameId(null, null),
  ]).not.toContain(false);
  expect([
    isSameId(null, 'null'),
    isSameId('null', null),
    isSameId(undefined, 7),
    isSameId([7], 7),
    isSameId(8, 7),
  ]).not.toContain(true);
});

test('any text is calls or is refused, with any JSON in place of members', () => {
  const token = fc.constantFrom(
    ...'{}[],:',
    ...['"jsonrpc"', '"2.0"', '"id"', '1', '"method"', '"a"', '"cred"', 'null', '"\\'],
  );
  const soup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
  const any = fc.jsonValue({ maxDepth: 4 });
  const member = (usual: unknown) =>
    fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, { arbitrary: any, weight: 1 });
  const envelope = fc.record(
    { jsonrpc: member('2.0'), id: member(1), method: member('a'), params: member({}), cred: member(null) },
    { requiredKeys: [] },
  );
  const message = fc.oneof(any, envelope, fc.array(fc.oneof(any, envelope), { maxLength: 4 }));
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    soup,
    message.map((value) => JSON.stringify(value)),
  );
  fc.assert(fc.property(text, expectSound), { numRuns: 2_000 });
});

/** Whatever the text, the result has the shape that the pipeline expects. */
function expectSound(text: string): void {
  let incoming: Incoming;
  try {
    incoming = readCalls(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RpcError);
    expect(['parse_error', 'invalid_request']).toContain((error as RpcError).reason);
    return;
  }
  expect(incoming.calls.length).toBeGreaterThan(0);
  for (const call of incoming.calls) expectSoundCall(call);
}

function expectSoundCall(call: Call | Malformed): void {
  if (call.id !== undefined) {
    // Equal except for -0, which JSON writes as 0.
    const echoed = tryJson(replyText({ id: call.id, result: {} }, 'echo'))?.value;
    expect(isObject(echoed) && echoed.id === call.id).toBe(true);
  }
  if (isMalformed(call)) {
    expect(call.error.reason).toBe('invalid_request');
    return;
  }
  expect(call.method.length).toBeGreaterThan(0);
  expect(call.params).toBeInstanceOf(Object);
  expect(call.cred ?? {}).toBeInstanceOf(Object);
}
