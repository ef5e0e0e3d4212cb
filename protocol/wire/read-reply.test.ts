import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameId, readReply } from './envelope.ts';

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
