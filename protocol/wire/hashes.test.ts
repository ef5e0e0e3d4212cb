import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import {
  digest,
  hashBytes,
  hashHex,
  hashToken,
  hmacSha1,
  inJavaScript,
  keyedHash,
  sameBytes,
  sameText,
} from './hashes.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 200 });

test('a browser computes the hashes of Node, of texts and of bytes', () => {
  expect(hashBytes).not.toBe(inJavaScript.hashBytes);
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const)
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 200 })), (data) => {
        expect([...inJavaScript.hashBytes(algorithm, data)]).toEqual([...hashBytes(algorithm, data)]);
        expect(inJavaScript.hashHex(algorithm, data)).toBe(hashHex(algorithm, data));
      }),
    );
});

test('the digest is SHA-1 by its published vectors, wherever the text is parted', () => {
  for (const [text, sha1] of [
    ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
  ] as const)
    for (let at = 0; at <= text.length; at++) expect(digest(text.slice(0, at), text.slice(at))).toBe(sha1);
});

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
  const expected = (token: string) => plain(createHash('sha256').update(token, 'utf8').digest());
  fc.assert(
    fc.property(text, (token) => {
      expect(plain(hashToken(token))).toEqual(expected(token));
    }),
  );
});

test('hashes with a key are the HMACs of Node, of texts as UTF-8', () => {
  const hmac = (algorithm: string, key: string | Uint8Array, value: string) =>
    plain(createHmac(algorithm, key).update(value).digest());
  const keys = fc.oneof(text, fc.uint8Array({ maxLength: 100 }));
  fc.assert(
    fc.property(keys, text, text, (key, name, value) => {
      expect(plain(keyedHash(key, value))).toEqual(hmac('sha256', key, value));
      expect(plain(hmacSha1(name, value))).toEqual(hmac('sha1', name, value));
    }),
  );
});
