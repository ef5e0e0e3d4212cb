import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { claimsOf, memberPointer, POINTER, valueAt, whyNotJson } from './json.ts';
import { valuesFrom } from './read-answer.ts';

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

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${inBase64({ alg: 'none' })}.${inBase64({ sub: 17, 'a/b': 'x', roles: ['patient'] })}.`;

test('the claim of a token is a value, whatever its name', () => {
  const from = (claim: string, text = JSON.stringify({ data: { jwt: token } })) =>
    valuesFrom(
      { user: { jwt: '/data/jwt', claim } },
      { kind: 'answer', status: 200, headers: new Headers(), text },
      {},
    );
  expect(from('sub')).toEqual({ user: '17' });
  expect(from('a/b')).toEqual({ user: 'x' });
  for (const claim of ['roles', 'uid']) expect(from(claim)).toEqual({});
  expect(from('sub', '{"data":{"jwt":"opaque"}}')).toEqual({});
});

test.each(['', 'opaque', 'a.b', `a.${inBase64('text')}.c`, 'a.%%.c'])('%j has no claims', (text) => {
  expect(claimsOf(text)).toBeUndefined();
});

const json = '{"user":"u-1"}';

test.each<[string, string | Buffer]>([
  ['it is empty', ''],
  ['it is empty', ' \r\n'],
  ['it is HTML', '<!DOCTYPE html><p>Sign in'],
  ['it is HTML', '\n<html lang="en">'],
  ['it is HTML or XML', '<?xml version="1.0"?><user/>'],
  ['it is compressed by gzip, and no Content-Encoding says so', gzipSync(json)],
  ['it is in UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le')],
  ['it is in UTF-16', Buffer.from(json, 'utf16le')],
  ['it is in UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le').swap16()],
  ['it is not in UTF-8', Buffer.from('{"name":"M\xfcller"', 'latin1')],
  ['something stands before the JSON', `)]}',\n${json}`],
  ['it is a call in JavaScript (JSONP)', `callback(${json})`],
  ['it begins as JSON, and is cut off or malformed', '{"user":"u'],
  ['it is plain text', 'Bad gateway'],
])('a body that is no JSON is named: %s', (what, body) => {
  expect(whyNotJson(Buffer.from(body as string).toString('utf8'))).toBe(`is not JSON: ${what}`);
});

test('JSON is not explained', () => {
  for (const text of [json, `\ufeff${json}`, 'null', '[]', ' 1']) expect(whyNotJson(text)).toBeUndefined();
});
