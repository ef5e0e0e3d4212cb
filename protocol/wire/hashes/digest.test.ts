import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { DIGEST_SHAPE, digest } from './digest.ts';

test('the digest is SHA-1 by its published vectors, wherever the text is parted', () => {
  for (const [text, sha1] of [
    ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
  ] as const)
    for (let at = 0; at <= text.length; at++) expect(digest(text.slice(0, at), text.slice(at))).toBe(sha1);
});

test('the digest is what the platform computes, for any password and secret', () => {
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(text, text, (password, secret) => {
      const expected = createHash('sha1').update(password, 'utf8').update(secret, 'utf8').digest('hex');
      expect(digest(password, secret)).toBe(expected);
      expect(expected).toMatch(DIGEST_SHAPE);
    }),
  );
});

test('nothing but 40 lowercase hexadecimal characters has the shape of a digest', () => {
  const right = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
  expect(right).toMatch(DIGEST_SHAPE);
  for (const wrong of [
    right.toUpperCase(),
    right.slice(1),
    `${right}0`,
    `${right}\n`,
    ` ${right}`,
    `g${right.slice(1)}`,
    '',
  ])
    expect(wrong).not.toMatch(DIGEST_SHAPE);
});
