import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { hashes, scriptedHashes } from './hashes.ts';

test('a browser computes the hashes that Node computes, of any text', () => {
  expect(hashes).not.toBe(scriptedHashes);
  const text = fc.string({ unit: anyCharacter, maxLength: 200 });
  fc.assert(
    fc.property(text, (value) => {
      expect(scriptedHashes.sha1(value)).toBe(hashes.sha1(value));
      expect([...scriptedHashes.sha256(value)]).toEqual([...hashes.sha256(value)]);
    }),
  );
});
