import { expect, test } from 'vitest';
import { memberPointer, POINTER, valueAt } from './json-pointer.ts';

/** The document of RFC 6901, section 5. */
const NUMBERS = { '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 };
const document = { foo: ['bar', 'baz'], ...NUMBERS };
const POINTERS = ['/', '/a~1b', '/c%d', '/e^f', '/g|h', '/i\\j', '/k"l', '/ ', '/m~0n'];

test.each<[string, unknown]>([
  ['', document],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ...POINTERS.map((pointer, index): [string, unknown] => [pointer, index]),
])('the pointer "%s" of RFC 6901 finds its value', (pointer, value) => {
  expect(POINTER.test(pointer)).toBe(true);
  expect(valueAt(document, pointer)).toEqual(value);
});

test.each(['a/b', 'm~n', '~1', '', '0'])('the pointer to the member "%s" finds it', (name) => {
  expect(valueAt({ outer: { [name]: 7 } }, memberPointer('/outer', name))).toBe(7);
});

test('~01 stands for ~1 and not for a slash', () => {
  expect(valueAt({ '~1': 'tilde one', '/': 'slash' }, '/~01')).toBe('tilde one');
});

test('a pointer to what is not there finds nothing', () => {
  for (const pointer of [
    '/nothing',
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/01',
    '/foo/+0',
    '/foo/length',
    '/a~1b/x',
  ]) {
    expect(valueAt(document, pointer), pointer).toBeUndefined();
  }
  expect(valueAt(null, '/a')).toBeUndefined();
  expect(valueAt('text', '/0')).toBeUndefined();
});

test('what objects inherit is not part of the JSON', () => {
  expect(valueAt({}, '/constructor')).toBeUndefined();
  expect(valueAt({}, '/__proto__')).toBeUndefined();
  expect(valueAt(JSON.parse('{"__proto__": 1}'), '/__proto__')).toBe(1);
});

test('a text without a leading slash, or with a lone tilde, is no pointer', () => {
  for (const text of ['result', 'result/token', '#/result', '/a~', '/a~2b', '/a~~0', '~']) {
    expect(POINTER.test(text), text).toBe(false);
  }
});

test('a long text of tildes is judged at once', () => {
  expect(POINTER.test(`/${'~0'.repeat(50_000)}~`)).toBe(false);
});
