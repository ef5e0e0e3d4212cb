import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { hashes, javaScriptHashes } from './hashes.ts';

test('a browser computes the hashes that Node computes, of any text', () => {
  expect(hashes).not.toBe(javaScriptHashes);
  const text = fc.string({ unit: anyCharacter, maxLength: 200 });
  fc.assert(
    fc.property(text, (value) => {
      expect(javaScriptHashes.sha1(value)).toBe(hashes.sha1(value));
      expect([...javaScriptHashes.sha256(value)]).toEqual([...hashes.sha256(value)]);
    }),
  );
});
