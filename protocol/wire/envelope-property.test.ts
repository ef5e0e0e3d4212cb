import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { type Call, type Incoming, isMalformed, type Malformed, readCalls, replyText } from './envelope.ts';
import { RpcError } from './errors.ts';

test('any text is calls, or is refused as parse_error or invalid_request', () => {
  const token = fc.constantFrom(
    ...'{}[],:',
    '"jsonrpc"',
    '"2.0"',
    '"id"',
    '1',
    '"method"',
    '"a"',
    '"cred"',
    'null',
    '"\\',
  );
  const soup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
  const text = fc.oneof(fc.string({ unit: anyCharacter }), soup);
  fc.assert(fc.property(text, expectSound), { numRuns: 1_000 });
});

test('any JSON is calls or is refused, even in place of members', () => {
  const any = fc.jsonValue({ maxDepth: 4 });
  const member = (usual: unknown) =>
    fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, { arbitrary: any, weight: 1 });
  const members = {
    jsonrpc: member('2.0'),
    id: member(1),
    method: member('a'),
    params: member({}),
    cred: member(null),
  };
  const envelope = fc.record(members, { requiredKeys: [] });
  const message = fc.oneof(any, envelope, fc.array(fc.oneof(any, envelope), { maxLength: 4 }));
  fc.assert(
    fc.property(
      message.map((value) => JSON.stringify(value)),
      expectSound,
    ),
    { numRuns: 1_000 },
  );
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
    expect(JSON.parse(replyText({ id: call.id, result: {} }, 'echo')).id === call.id).toBe(true);
  }
  if (isMalformed(call)) {
    expect(call.error.reason).toBe('invalid_request');
    return;
  }
  expect(call.method.length).toBeGreaterThan(0);
  expect(call.params).toBeInstanceOf(Object);
  expect(call.cred ?? {}).toBeInstanceOf(Object);
}
