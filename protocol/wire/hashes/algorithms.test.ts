import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { hashBytes, hmacSha1, javaScriptHash } from './algorithms.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 200 });

test('a browser computes the hashes of Node, of texts and of bytes', () => {
  expect(hashBytes).not.toBe(javaScriptHash);
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const)
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 200 })), (data) => {
        expect([...javaScriptHash(algorithm, data)]).toEqual([...hashBytes(algorithm, data)]);
      }),
      { numRuns: 30 },
    );
});

test('the HMAC is that of Node', () => {
  fc.assert(
    fc.property(text, text, (key, value) => {
      expect([...hmacSha1(key, value)]).toEqual([...createHmac('sha1', key).update(value).digest()]);
    }),
  );
});
