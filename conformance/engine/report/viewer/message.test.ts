import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from './message.ts';

test('JSON is laid out as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON.stringify writes what it was given, except for -0, which becomes 0.
      const compact = JSON.stringify(value);
      expect(indentJson(compact)).toBe(JSON.stringify(JSON.parse(compact), null, 2));
      expect(indentJson(JSON.stringify(value, null, 4))).toBe(indentJson(compact));
    }),
  );
});

test('what a parser would lose stays to be seen', () => {
  expect(indentJson('{"id":1.0,"id":2,"n":12345678901234567890,"s":"\\u0041, { }"}')).toBe(
    '{\n  "id": 1.0,\n  "id": 2,\n  "n": 12345678901234567890,\n  "s": "\\u0041, { }"\n}',
  );
});

test('what is not JSON is shown as it crossed', () => {
  expect(indentJson('{"id":1,}  ')).toBe('{"id":1,}  ');
  expect(indentJson('<html>')).toBe('<html>');
});
