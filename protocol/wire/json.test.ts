import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { proves } from '#testing/proves.ts';
import { refusalOf } from '../testing.ts';
import { MAX_DEPTH, readJson, tryJson, writeJson } from './json.ts';

test('JSON text is read as it stands', () => {
  const text = ' {"a":[1,-2.5e3,"\\u00e9\\ud83d\\ude00",true,false,null,{}],"":{"b":[]}}\n';
  expect(readJson(text)).toStrictEqual({ a: [1, -2500, 'é😀', true, false, null, {}], '': { b: [] } });
});

test('colons, brackets and quotes inside strings count for nothing', () => {
  for (const value of [
    { 'a:b': '{"c":"d","c":"e"}', '\\': '\\', '"': '":"' },
    ['['.repeat(100), '{'.repeat(100), '\\"', '\\\\"', ':', '"'],
    { 'ends with a backslash \\': 'and so does this \\' },
  ])
    expect(readJson(JSON.stringify(value))).toStrictEqual(value);
});

test('any JSON value within the depth is read back as written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: MAX_DEPTH - 1, stringUnit: anyCharacter }), (value) => {
      const text = JSON.stringify(value);
      // Only a member with the forbidden name keeps a value from being read back; the same name in a text
      // does not.
      fc.pre(!/"__proto__":/.test(text));
      expect(readJson(text)).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

proves(['X-ijson'], 'a member name twice in one object is refused, wherever it is', () => {
  const shell = fc.constantFrom('[%]', '{"x":%}', '[1,%,"}"]', '{"a":"\\"{:","b":[],"c":%}', '[[],{},%]');
  const name = fc.string({ unit: anyCharacter }).filter((text) => text !== '__proto__');
  fc.assert(
    fc.property(fc.array(shell, { maxLength: MAX_DEPTH - 1 }), name, fc.jsonValue(), (shells, key, value) => {
      const once = `{${JSON.stringify(key)}:0}`;
      const twice = `{${JSON.stringify(key)}:0,${escaped(key)}:${JSON.stringify(value)}}`;
      const within = (text: string) => shells.reduce((inner, outer) => outer.replace('%', () => inner), text);
      fc.pre(depthOf(within(twice)) <= MAX_DEPTH && !/__proto__/.test(JSON.stringify(value)));
      expect(readJson(within(once))).toStrictEqual(JSON.parse(within(once)));
      expect(refusalOf(() => readJson(within(twice)))).toMatchObject({
        reason: 'invalid_request',
        errors: ['The message has an object with the same member name twice.'],
      });
    }),
  );
});

test('equal names in different objects, or similar ones, are no duplicates', () => {
  for (const text of ['[{"a":1},{"a":1}]', '{"a":{"a":{"a":1}}}', '{"a":1,"A":2,"a ":3,"á":4,"a\\u0301":5}'])
    expect(readJson(text)).toStrictEqual(JSON.parse(text));
});

proves(['X-ijson'], 'an unpaired surrogate is refused in texts and in names, a pair is not', () => {
  for (const half of ['\\ud800', '\\udfff', 'a\\udc00', '\\udc00\\ud800', '\ud800', 'x\udfffy'])
    for (const text of [`"${half}"`, `{"${half}":1}`, `[[{"a":["${half}"]}]]`, `{"a":{"b${half}":1}}`]) {
      const { reason, errors } = refusalOf(() => readJson(text));
      expect([reason, errors?.[0]], text).toEqual([
        'invalid_request',
        expect.stringContaining('unpaired surrogate'),
      ]);
    }
  expect(readJson('["\\ud83d\\ude00","\ud83d\ude00"]')).toStrictEqual(['😀', '😀']);
});

proves(['X-ijson'], 'a member named __proto__ is refused and alters no prototype', () => {
  for (const text of [
    ...['{"__proto__":{"admin":true}}', '{"__proto__":null}', '{"\\u005f_proto__":1}'],
    '[{"a":[{"__proto__":[]}]}]',
  ])
    expect(refusalOf(() => readJson(text))).toMatchObject({
      reason: 'invalid_request',
      errors: ['The message has a member named __proto__.'],
    });
  expect(Object.prototype).not.toHaveProperty('admin');
  expect(readJson('["__proto__",{"constructor":1,"a":"__proto__"}]')).toStrictEqual([
    '__proto__',
    { constructor: 1, a: '__proto__' },
  ]);
});

proves(['X-ijson'], 'nesting of 32 levels is read and one of 33 is refused', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const) {
    const levels = open === '[{"a":' ? 2 : 1;
    const nested = (depth: number) => `${open.repeat(depth / levels)}1${close.repeat(depth / levels)}`;
    const text = nested(MAX_DEPTH);
    expect(readJson(text)).toStrictEqual(JSON.parse(text));
    expect(refusalOf(() => readJson(`[${text}]`))).toMatchObject({
      reason: 'invalid_request',
      errors: ['The message nests deeper than 32 levels.'],
    });
  }
  const wide = `[${new Array(100).fill('[[]]').join(',')}]`;
  expect(readJson(wide)).toStrictEqual(JSON.parse(wide));
});

proves(['DE-parse-error', 'DE-json-rpc-numbers'], 'what is not JSON is a parse error without a cause', () => {
  for (const text of [
    ...['', ' ', '{', '{"a":1', '[1,]', "{'a':1}", '{"a":1}}', 'nul', '"secret', '\u0000', '{"a":1}\u0000'],
    ...['{a:1}', '01', 'NaN', '\ufeff\ufeff1', '"a\nb"'],
  ]) {
    const refusal = refusalOf(() => readJson(text));
    expect(refusal.toObject(), text).toEqual({
      code: -32700,
      message: 'The body is not JSON.',
      data: { reason: 'parse_error' },
    });
    expect(refusal.cause).toBeUndefined();
  }
});

test('any text is read as JSON.parse does, or refused with a reason', () => {
  const token = fc.constantFrom(
    ...'{}[]:,"\\ \n',
    '"a"',
    '"\\u0061"',
    '"b":',
    '1',
    '-',
    '.5',
    'null',
    'true',
    '\ud800',
    '"__proto__":',
  );
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join('')),
  );
  fc.assert(
    fc.property(text, (input) => {
      const parsed = tryJson(input);
      let value: unknown;
      try {
        value = readJson(input);
      } catch (error) {
        expect(error).toMatchObject({
          name: 'RpcError',
          reason: parsed ? 'invalid_request' : expect.stringMatching(/^(parse_error|invalid_request)$/),
        });
        return;
      }
      expect({ value }).toStrictEqual(parsed);
    }),
    { numRuns: 2_000 },
  );
});

test('texts of a megabyte are read or refused, however they are made', () => {
  const members = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`name ${index}`, index]));
  const text = JSON.stringify(members);
  expect(text.length).toBeGreaterThan(1_000_000);
  expect(readJson(text)).toStrictEqual(members);
  expect(refusalOf(() => readJson(`${text.slice(0, -1)},"name 7":0}`)).reason).toBe('invalid_request');
  for (const monotonous of ['[', '{"a":', '{', '[{'])
    expect(refusalOf(() => readJson(monotonous.repeat(300_000))).reason).toBe('invalid_request');
  for (const broken of ['"', ':', ']', '\\', '"\\', ' '])
    expect(refusalOf(() => readJson(broken.repeat(1_000_001))).reason).toBe('parse_error');
});

test('tryJson gives the value, or nothing for what is no JSON', () => {
  expect(tryJson('null')).toStrictEqual({ value: null });
  expect(tryJson('{"a":1,"a":2}')).toStrictEqual({ value: { a: 2 } });
  expect(tryJson('undefined')).toBeUndefined();
});

test('integers that a double would round keep their digits, and texts stay texts', () => {
  const big = 1234567890127651094n;
  const rows: [string, unknown][] = [
    ['1234567890127651094', big],
    ['{"id":1234567890127651094,"n":9007199254740991}', { id: big, n: 9007199254740991 }],
    [
      ' [ -9007199254740993 , "#9007199254740993", "\'x", "1234567890127651094"]',
      [-9007199254740993n, '#9007199254740993', "'x", String(big)],
    ],
    [`{"a"${' '.repeat(99)}:[${big}]}`, { a: [big] }],
    ['{"#1":"#1","\\"1234567890127651094":1234567890127651094}', { '#1': '#1', '"1234567890127651094': big }],
    [
      '{"a" : "b\\\\", "c": ["12345678901276510\\u0000", 12345678901276510940]}',
      { a: 'b\\', c: ['12345678901276510\0', 12345678901276510940n] },
    ],
    ['[1.5, 1e30, 9007199254740992]', [1.5, 1e30, 9007199254740992]],
  ];
  for (const [text, value] of rows) {
    expect(tryJson(text), text).toStrictEqual({ value });
    expect(tryJson(writeJson(value)), text).toStrictEqual({ value });
  }
  for (const broken of ['{1234567890127651094:1}', '[01234567890127651094]', '1234567890127651094 "a"'])
    expect(tryJson(broken), broken).toBeUndefined();
});

/** A JSON string with every UTF-16 unit escaped. */
function escaped(text: string): string {
  return `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
}

/** The nesting depth of a value. */
function depthOf(text: string): number {
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  return depth(JSON.parse(text));
}
