/** Values, names and bytes that often break programs. */
import type { Rng } from './rng.ts';

/** Creates a JSON value, or nearly one, as it would stand in a body. */
export function strangeValue(rng: Rng): string {
  return rng.either(
    () => rng.pick(FRAGMENTS),
    () => rng.pick(FRAGMENTS),
    () => JSON.stringify(rng.pick(TEXTS)),
    () => `"${rng.pick(CHARACTERS).repeat(1 + rng.below(rng.pick([3, 45, 260, 600, 70_000])))}"`,
    () => nested(rng),
  );
}

export function strangeName(rng: Rng): string {
  return rng.pick(NAMES);
}

/** Changes a few bytes anywhere: replaces, inserts, removes, repeats and swaps in tokens with a meaning. */
export function damage(bytes: string, rng: Rng): string {
  let damaged = bytes;
  for (let count = 1 + rng.below(4); count > 0; count--) {
    const at = rng.below(damaged.length + 1);
    const length = rng.pick([1, 1, 2, 8, 64]);
    const [before, after] = [damaged.slice(0, at), damaged.slice(at)];
    damaged = rng.either(
      () => before + String.fromCharCode(rng.below(256)) + after.slice(1),
      () => before + String.fromCharCode(rng.below(256)) + after,
      () => before + after.slice(length),
      () => before + after.slice(0, length) + after,
      () => before + rng.pick(TOKENS) + after,
      () => before + rng.pick(TOKENS) + after.slice(length),
      () => (rng.oneIn(4) ? before : damaged),
    );
  }
  return damaged;
}

function nested(rng: Rng): string {
  const depth = rng.pick([2, 5, 29, 30, 31, 32, 33, 100, 5_000]);
  const [open, close] = rng.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"__proto__":', '}]'],
  ]);
  return open.repeat(depth) + rng.pick(['', '1', 'null', '"x"']) + close.repeat(rng.oneIn(8) ? depth - 1 : depth);
}

const FRAGMENTS = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '5', '1.5', '1e3', '1E400', '-1e400', '1e-400', '0.1e1'],
  ...['9007199254740991', '9007199254740993', '-9007199254740993', '123456789012345678901234567890', '2.0'],
  ...['01', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', '-Infinity', 'undefined', '', ' ', "'a'", '`a`', '/**/1'],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\ude00"',
    '"\\x41"',
    '"\\u00"',
    '"\n"',
    '"\t"',
  ],
  ...['[]', '{}', '[[]]', '[null]', '[1,]', '{"a":1,}', '{"a"}', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"":1}'],
  ...['{"__proto__":{"x":1}}', '{"\\u005f_proto__":null}', '{"constructor":{"prototype":{"x":1}}}'],
  ...['{"toString":null}', '{"toJSON":1}', '{"length":1000000000}', '{"then":1}', '{"user":"a"}', '[{"user":"a"}]'],
];

const TEXTS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'toJSON', 'length'],
  ...['2.0', '1.0', 'null', 'NaN', '-1', '1e999', 'true', '[object Object]', '%00', '../../etc/passwd', '{{7*7}}'],
  ...[
    "' OR 1=1 --",
    "'); DROP TABLE links; --",
    '<script>',
    '\u202eabc',
    '\ufeff',
    'ａｎｎａ',
    'А',
    'e\u0301',
    'ﬁ',
    'İ',
  ],
  ...['2026-02-30', '0000-00-00', '1985-04-12', '1985-04-12T00:00:00Z', '9999-99-99 99:99:99.999', '1985-4-12'],
  ...['+7 (999) 000-00-01', '79990000001', '+', '123', '1'.repeat(16), 'PHONE', 'MEDCARD', 'phone'],
  ...[
    'a'.repeat(40),
    '0'.repeat(40),
    'A'.repeat(40),
    'g'.repeat(40),
    '\ud800',
    'a\u0000b',
    '\u0001',
    '\u007f',
    '\u0085',
  ],
];

const CHARACTERS = ['A', '1', ' ', 'é', '\u0301', '😀', '\\u0041', '\\\\', '-', '\u2028', '٣'];

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', 'id', 'ID', 'jsonrpc', 'method'],
  ...[
    'params',
    'cred',
    'apiKey',
    'user',
    'token',
    'then',
    'toJSON',
    'length',
    '0',
    '\u0000',
    'error',
    'result',
    'data',
  ],
  ...['authInfo', 'exchangeToken', 'patientProperties', 'searchStrategy', 'medCardId', 'created', 'ttl', 'gender'],
];

const TOKENS = [
  ...['\r\n', '\n', '\r', '\r\n\r\n', '\0', ':', ' ', '\t', '"', '\\', '{', '}', '[', ']', ',', '\\u', '\xff', '\xc3'],
  ...[
    '\xed\xa0\x80',
    '\xf4\x90\x80\x80',
    '\xef\xbb\xbf',
    '\xc0\x80',
    '0\r\n\r\n',
    'ffffffff\r\n',
    '-1',
    '\x16\x03\x01',
  ],
  ...[
    'HTTP/1.1',
    'POST / HTTP/1.1\r\n\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    '%',
    '..',
    '?',
    '#',
  ],
];
