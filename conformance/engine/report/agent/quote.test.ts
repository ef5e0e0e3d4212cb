import { expect, test } from 'vitest';
import { plain, quote } from './quote.ts';

/** Every character of the first planes, also lone halves of pairs, and the invisible ones far above. */
const EVERY = Array.from({ length: 0x1_20_00 }, (_, code) => code)
  .concat(0xe0041, 0xe0100, 0x10_ff_fe)
  .map((code) => String.fromCodePoint(code))
  .join('');

test('no character ends its line or its quotes, or is invisible', () => {
  const quoted = quote(EVERY);
  expect(quoted).toMatch(/^«[^«»]*»$/);
  expect(plain(EVERY)).toBe(quoted.slice(1, -1));
  expect(quoted).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{DI}]/u);
  expect(quote('a\nb\t»\u200b\u{e0041}\ud800 Ж"\\')).toBe('«a\\nb\\t\\u00bb\\u200b\\u{e0041}\ufffd Ж"\\»');
});

test('a cut text keeps its limit and says how much is left out', () => {
  const text = `${'Ж'.repeat(50)}${'\n'.repeat(50)}${'😀'.repeat(50)}`;
  const bytes = (written: string) => Buffer.byteLength(written);
  const whole = bytes(quote(text));
  for (let max = 52; max < whole; max++) {
    const written = quote(text, max);
    const [, kept = '', left] = /^(«.*»)… \[(\d+) bytes left out\]$/.exec(written) ?? [];
    expect(bytes(written), written).toBeLessThanOrEqual(max);
    expect(bytes(kept) + Number(left)).toBe(whole);
    expect(kept.slice(1, -1).replaceAll('\\n', ''), 'no escape is cut').not.toContain('\\');
  }
  expect(quote(text, whole)).toBe(quote(text));
});
