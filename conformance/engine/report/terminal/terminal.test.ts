import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, hanging, paintFor, widthOf, wrap } from './terminal.ts';

test('lines are never longer than the width, and no word is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,30}$/)),
      fc.integer({ min: 10, max: 60 }),
      (words, width) => {
        const lines = wrap(words.join(' '), width);
        expect(lines.every((line) => line.length <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
      },
    ),
  );
});

test('a line break in a text stays one', () => {
  expect(wrap('a b\nc', 80)).toEqual(['a b', 'c']);
});

test('the lines of a paragraph hang below its first, however its head is coloured', () => {
  expect(hanging('\u001b[2mto do \u001b[22m', 'mend it and run again soon', 26)).toEqual([
    '\u001b[2mto do \u001b[22mmend it and run',
    '      again soon',
  ]);
});

test('colours appear on a terminal only, and not when NO_COLOR has a value', () => {
  const red = (isTTY: boolean, env: Record<string, string>) => paintFor({ isTTY }, env)('red', 'x');
  expect(red(true, {})).toBe('\u001b[31mx\u001b[39m');
  expect(red(true, { NO_COLOR: '' })).toContain('\u001b');
  expect(red(true, { NO_COLOR: '1' })).toBe('x');
  expect(red(true, { TERM: 'dumb' })).toBe('x');
  expect(red(false, {})).toBe('x');
});

test('the width follows the screen within what can be read', () => {
  expect([undefined, 20, 80, 300].map((columns) => widthOf({ columns }))).toEqual([80, 40, 80, 100]);
});

test('what is cut says so', () => {
  expect(cut('abcdef', 6)).toBe('abcdef');
  expect(cut('abcdefg', 6)).toBe('abcde…');
  expect(cut('😀😀😀', 2)).toBe('😀…');
});
