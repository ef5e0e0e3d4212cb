import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { hashToken, keyedHash, sameBytes, sameText } from './secrets.ts';

test('texts are the same exactly when they are equal, however long they are', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 12 });
  fc.assert(fc.property(text, text, (a, b) => sameText(a, b) === (a === b)));
  fc.assert(fc.property(text, (a) => sameText(a, a)));
  expect(sameText('a', 'a\0')).toBe(false);
  expect(sameText('a\0', 'a')).toBe(false);
  expect(sameText('x'.repeat(5_000), `${'x'.repeat(4_999)}y`)).toBe(false);
});

test('hashes are the same exactly when all their bytes are', () => {
  const bytes = fc.uint8Array({ maxLength: 4 });
  fc.assert(fc.property(bytes, bytes, (a, b) => sameBytes(a, b) === (a.join() === b.join())));
  fc.assert(fc.property(bytes, (a) => sameBytes(a, Uint8Array.from(a))));
  expect(sameBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBe(false);
  expect(sameBytes(Uint8Array.of(1, 0), Uint8Array.of(1))).toBe(false);
});

const plain = (bytes: Uint8Array) => [...bytes];

test('a token is stored as its SHA-256 over UTF-8', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 100 });
  const expected = (token: string) => plain(createHash('sha256').update(token, 'utf8').digest());
  fc.assert(
    fc.property(text, (token) => {
      expect(plain(hashToken(token))).toEqual(expected(token));
    }),
  );
});

test('a keyed hash is HMAC-SHA-256 over UTF-8 with any key', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 100 });
  const expected = (key: string | Uint8Array, value: string) =>
    plain(createHmac('sha256', key).update(value, 'utf8').digest());
  fc.assert(
    fc.property(text, text, (key, value) => {
      expect(plain(keyedHash(key, value))).toEqual(expected(key, value));
    }),
  );
  const key = fc.uint8Array({ maxLength: 100 });
  fc.assert(
    fc.property(key, text, (key, value) => {
      expect(plain(keyedHash(key, value))).toEqual(expected(key, value));
    }),
  );
});
