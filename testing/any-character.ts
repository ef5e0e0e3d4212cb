/** Characters for property tests. */
import fc from 'fast-check';

const CODE_POINTS = 0x11_0000;
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Every code point but surrogates: fast-check's unit `binary` makes a table for that in half a second. */
export const anyCharacter = fc
  .nat(CODE_POINTS - SURROGATES - 1)
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES), indexOf);

/** By this, fast-check mixes names that are dangerous to objects into its texts, such as `__proto__`. */
function indexOf(character: unknown): number {
  const codePoint = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
  const isSurrogate = codePoint >= FIRST_SURROGATE && codePoint < FIRST_SURROGATE + SURROGATES;
  if (codePoint < 0 || isSurrogate || String.fromCodePoint(codePoint) !== character)
    throw new Error('This is not one character.');
  return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES;
}
