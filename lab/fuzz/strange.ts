/** Values, names and bytes that often break programs. */
import fc from 'fast-check';
import type { Bytes } from './input.ts';

/** Splits lines of items that a broken bar separates. */
export function listOf(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split('¦'));
}

/** JSON values, or nearly such, as they would stand in a body. */
const FRAGMENTS = listOf(
  'null¦true¦0¦-0¦-1¦5¦1.5¦1E400¦-1e400¦1e-400¦9007199254740993¦2.0¦01¦+1¦.5¦1.¦0x10¦NaN¦-Infinity',
  'undefined¦¦ ¦\'a\'¦`a`¦/**/1¦"\\x41"¦"\\u00"¦"\n"¦""¦" "¦"\\u0000"¦"\\ud800"¦"\\udc00\\ud800"',
  '"\\ud83d\\ude00"¦[]¦{}¦[[]]¦[null]¦[1,]¦{"a":1,}¦{"a"}¦{"a":1,"a":2}¦{"a":1,"\\u0061":2}¦{"":1}',
  '{"__proto__":{"x":1}}¦{"then":1}¦{"\\u005f_proto__":null}¦{"constructor":{"prototype":{"x":1}}}',
  '{"toString":null}¦{"length":1000000000}',
);

const TEXTS = listOf(
  '__proto__¦constructor¦toString¦then¦1.0¦NaN¦1e999¦[object Object]¦%00¦../../etc/passwd',
  "' OR 1=1 --¦'); DROP TABLE links; --¦<script>¦\u202eabc¦\ufeff¦ａｎｎａ¦А¦e\u0301¦ﬁ¦İ¦2026-02-30",
  '0000-00-00¦1985-04-12T00:00:00Z¦9999-99-99 99:99:99.999¦+7 (999) 000-00-01¦MEDCARD',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa¦AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA¦1111111111111111',
  '\ud800¦a\u0000b¦\x85',
);

const NAMES = listOf(
  '__proto__¦constructor¦prototype¦hasOwnProperty¦¦ ¦id¦ID¦jsonrpc¦method¦params¦cred¦apiKey¦user',
  'token¦then¦toJSON¦length¦0¦\u0000¦error¦result¦authInfo¦exchangeToken¦patientProperties',
  'searchStrategy¦medCardId¦created¦ttl¦gender',
);

/** Bytes with a meaning in HTTP, JSON or UTF-8. */
const TOKENS = listOf(
  '\r\n¦\n¦\r¦\r\n\r\n¦\u0000¦:¦ ¦\t¦"¦\\¦{¦}¦[¦]¦,¦\\u¦\xff¦\xc3¦-1¦\xed\xa0\x80¦\xf4\x90\x80\x80',
  '\xef\xbb\xbf¦\xc0\x80¦0\r\n\r\n¦ffffffff\r\n¦\u0016\u0003\u0001¦HTTP/1.1¦POST / HTTP/1.1\r\n\r\n',
  'Content-Length: 5\r\n¦Transfer-Encoding: chunked\r\n¦%¦..¦?¦#',
);

const nested = fc
  .record({
    depth: fc.constantFrom(2, 5, 29, 30, 31, 32, 33, 100, 5_000),
    ends: fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"__proto__":', '}]']),
    core: fc.constantFrom('', '1', 'null', '"x"'),
    isOpen: fc.integer({ min: 0, max: 7 }),
  })
  .map(({ depth, ends: [open = '', close = ''], core, isOpen }) => {
    return open.repeat(depth) + core + close.repeat(isOpen === 7 ? depth - 1 : depth);
  });

const longText = fc
  .tuple(
    fc.constantFrom('A', '1', ' ', 'é', '\u0301', '😀', '\\u0041', '\\\\', '-', '٣'),
    fc.constantFrom(3, 45, 260, 70_000),
  )
  .map(([character, length]) => `"${character.repeat(length)}"`);

/** A JSON value, or nearly one. */
export const strangeValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...FRAGMENTS) },
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS).map((text) => JSON.stringify(text)) },
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.json(),
  longText,
  nested,
);

export const strangeName: fc.Arbitrary<string> = fc.constantFrom(...NAMES);

const cut = fc.record({
  at: fc.nat(),
  remove: fc.constantFrom(0, 0, 1, 2, 8, 64),
  insert: fc.oneof(
    fc.constantFrom(...TOKENS),
    fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    fc.constant(''),
  ),
  isRepeated: fc.boolean(),
});

/** Changes a few bytes anywhere, in a quarter of the texts: removes, inserts and repeats. */
export function damaged(bytes: fc.Arbitrary<Bytes>): fc.Arbitrary<Bytes> {
  const cuts = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(cut, { minLength: 1, maxLength: 4 }),
  );
  return fc.tuple(bytes, cuts).map(([text, changes]) =>
    changes.reduce((changed, { at, remove, insert, isRepeated }) => {
      const from = at % (changed.length + 1);
      return (
        changed.slice(0, from) +
        insert +
        changed.slice(isRepeated ? Math.max(0, from - remove) : from + remove)
      );
    }, text),
  );
}
