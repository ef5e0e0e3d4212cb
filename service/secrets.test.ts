import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digest } from '#protocol/digest.ts';
import { digestOf, hashToken, sameText } from './secrets.ts';

test('texts are the same exactly when they are equal, however long they are', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  fc.assert(fc.property(text, text, (a, b) => sameText(a, b) === (a.toWellFormed() === b.toWellFormed())));
  fc.assert(fc.property(text, (a) => sameText(a, a)));
  expect(sameText('a', 'a\0')).toBe(false);
  expect(sameText('x'.repeat(5_000), `${'x'.repeat(4_999)}y`)).toBe(false);
});

test('a token is stored as its SHA-256 over UTF-8', () => {
  expect(hashToken('токен')).toEqual(createHash('sha256').update('токен', 'utf8').digest());
});

test('the digest is that of the protocol, whatever characters it is made of', () => {
  const text = fc.string({ unit: 'binary', maxLength: 100 });
  fc.assert(fc.property(text, text, (password, secret) => digestOf(password, secret) === digest(password, secret)));
});
