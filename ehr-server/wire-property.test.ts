import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { violationsOf } from '#protocol/wire/violations.ts';
import { anyCharacter } from '#testing/any-character.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { post } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';

const REQUEST_COUNT = 250;

/** Values that often break programs. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    ...['', ' ', '\u0000', '\ud800', '__proto__', 'NaN', "' OR 1=1 --", '9999-99-99 99:99:99.999', 'MEDCARD'],
    ...[null, true, -1, 0.5, 2 ** 53, 1e300, [], {}, [[]], { toString: null }],
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(45, 300, 70_000).map((length) => 'A'.repeat(length)),
);

/** A value with some of its members replaced or left out, at any depth, and others put beside them. */
function nearly(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null)
    return fc.oneof({ arbitrary: fc.constant(value), weight: 12 }, { arbitrary: strange, weight: 1 });
  const members = Object.entries(value).map(([name, member]) => [name, nearly(member)] as const);
  const extra = fc.dictionary(fc.constantFrom('__proto__', 'then', 'ttl', 'x'), strange, { maxKeys: 1 });
  const whole = fc
    .tuple(fc.record(Object.fromEntries(members)), extra)
    .map(([own, more]) => ({ ...more, ...own }));
  const parts = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  return fc.oneof(
    { arbitrary: whole, weight: 8 },
    { arbitrary: parts, weight: 2 },
    { arbitrary: strange, weight: 1 },
  );
}

/** Calls like those of the method table: by the session, by the authorization server, and by nobody. */
function calls(session: object, internal: object): fc.Arbitrary<unknown> {
  const methods = Object.entries(ehrMethods).map(([method, { example }]) => ({ method, ...example }));
  const creds = [session, internal, ...methods.map((row) => ('cred' in row ? row.cred : null))];
  const call = fc
    .tuple(fc.constantFrom(...methods, { method: 'no.such', params: {} }), fc.constantFrom(...creds))
    .map(([{ method, params }, cred]) => ({ jsonrpc: '2.0', id: 1, method, params, cred }));
  return call.chain(nearly);
}

const WRONG_TYPES = ['text/plain', 'application/json;charset=x'];
const HEADERS: Record<string, string>[] = [
  ...new Array(4).fill({}),
  ...WRONG_TYPES.map((type) => ({ 'content-type': type })),
];

/** A text with a piece cut out, and another in its place. */
const damaged = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom(0, 1, 8),
      fc.constantFrom('', '"', '{', ']', ',', '\\u', '\n', '1e'),
    )
    .map(([whole, at, length, piece]) => {
      const from = at % (whole.length + 1);
      return whole.slice(0, from) + piece + whole.slice(from + length);
    });

test('whatever is sent is answered by the method table or as a transport fault', async () => {
  const ehr = await linkedEhr();
  const call = calls(ehr.cred, { user: INTERNAL_USER, token: INTERNAL_PASSWORD });
  const message = fc.oneof(
    { arbitrary: call, weight: 8 },
    { arbitrary: fc.array(fc.oneof(call, strange), { maxLength: 5 }), weight: 2 },
    { arbitrary: strange, weight: 1 },
  );
  const text = message.map((value) => JSON.stringify(value));
  const body = fc
    .oneof(
      { arbitrary: text, weight: 20 },
      { arbitrary: damaged(text), weight: 5 },
      { arbitrary: fc.constantFrom('', '[', '['.repeat(9_000), ' '.repeat(2 ** 21)), weight: 1 },
    )
    // As the server reads it: half of a surrogate pair is no UTF-8.
    .map((drawn) => Buffer.from(drawn).toString());
  const path = fc.constantFrom('', '', '', '', '', 'x', '?x');
  const from = fc.constantFrom(ehr.ehr.endpoint, ehr.internalEndpoint);
  const answered = new Set<string>();
  // A right call and a body beyond the limit are seldom drawn, so they come first.
  const right = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred: ehr.cred };
  const seldom = [JSON.stringify(right), ' '.repeat(2 ** 21)];
  await fc.assert(
    fc.asyncProperty(
      from,
      path,
      fc.constantFrom(...HEADERS),
      body,
      async (endpoint, end, headers, request) => {
        const reply = await post(endpoint + end, request, headers);
        expect(violationsOf({ status: reply.status, request, reply: reply.text }, ehrMethods)).toEqual([]);
        answered.add(
          reply.status === 200 ? (/"reason":"(\w+)"/.exec(reply.text)?.[1] ?? 'ok') : `${reply.status}`,
        );
      },
    ),
    { numRuns: REQUEST_COUNT, examples: seldom.map((sent) => [ehr.ehr.endpoint, '', {}, sent]) },
  );
  // What was drawn reached every stage of a call.
  expect([...answered]).toEqual(
    expect.arrayContaining([
      ...['ok', '404', '413', '415', 'parse_error', 'invalid_request', 'method_not_found'],
      ...['not_authorized', 'invalid_params'],
    ]),
  );
});
