/** Values, names and bytes that programs trip over. */
import type { Dice } from './dice.ts';

/** JSON, or nearly, as it would stand in a text. */
export function strangeValue(dice: Dice): string {
  return dice.either(
    () => dice.pick(FRAGMENTS),
    () => dice.pick(FRAGMENTS),
    () => JSON.stringify(dice.pick(TEXTS)),
    () => `"${dice.pick(CHARACTERS).repeat(1 + dice.below(dice.pick([3, 45, 260, 600, 70_000])))}"`,
    () => nested(dice),
  );
}

export function strangeName(dice: Dice): string {
  return dice.pick(NAMES);
}

/** Changes a few bytes anywhere: turns, inserts, removes, repeats, swaps in what has a meaning. */
export function damage(bytes: string, dice: Dice): string {
  let damaged = bytes;
  for (let count = 1 + dice.below(4); count > 0; count--) {
    const at = dice.below(damaged.length + 1);
    const length = dice.pick([1, 1, 2, 8, 64]);
    const [before, after] = [damaged.slice(0, at), damaged.slice(at)];
    damaged = dice.either(
      () => before + String.fromCharCode(dice.below(256)) + after.slice(1),
      () => before + String.fromCharCode(dice.below(256)) + after,
      () => before + after.slice(length),
      () => before + after.slice(0, length) + after,
      () => before + dice.pick(TOKENS) + after,
      () => before + dice.pick(TOKENS) + after.slice(length),
      () => (dice.oneIn(4) ? before : damaged),
    );
  }
  return damaged;
}

function nested(dice: Dice): string {
  const depth = dice.pick([2, 5, 29, 30, 31, 32, 33, 100, 5_000]);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"__proto__":', '}]'],
  ]);
  return open.repeat(depth) + dice.pick(['', '1', 'null', '"x"']) + close.repeat(dice.oneIn(8) ? depth - 1 : depth);
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
