import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Random, randomCode, randomToken, seededRandom, systemRandom } from './random.ts';

test('a seeded generator repeats itself, and another seed gives something else', () => {
  const first = seededRandom(7)(64);
  expect(seededRandom(7)(64)).toEqual(first);
  expect(seededRandom(8)(64)).not.toEqual(first);
});

test('a seeded generator gives the same bytes however they are asked for', () => {
  const whole = seededRandom(42)(30);
  const random = seededRandom(42);
  expect(Uint8Array.from([...random(1), ...random(9), ...random(0), ...random(20)])).toEqual(whole);
});

test('a seed means the same bytes in every version', () =>
  expect(Buffer.from(seededRandom(7)(16)).toString('hex')).toBe('ab22f4fb334a65d5577fb97e165de567'));

test('the system generator gives as many bytes as asked for, and others each time', () => {
  expect(systemRandom(0)).toHaveLength(0);
  expect(systemRandom(32)).toHaveLength(32);
  expect(systemRandom(32)).not.toEqual(systemRandom(32));
  // More bytes than the stock holds, in pieces that do not divide it.
  const many = Array.from({ length: 1_000 }, () => Buffer.from(systemRandom(31)).toString('hex'));
  expect(new Set(many).size).toBe(1_000);
  expect(many.filter((bytes) => bytes.includes('0'.repeat(16)))).toEqual([]);
});

test('a token is its random bytes as base64url without padding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(randomToken(() => bytes)).toBe(Buffer.from(bytes).toString('base64url'));
    }),
  );
});

test('a token has 256 bits in 43 characters unless asked otherwise', () => {
  const asked: number[] = [];
  const random: Random = (length) => {
    asked.push(length);
    return seededRandom(3)(length);
  };
  expect(randomToken(random)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(randomToken(random, 16)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(asked).toEqual([32, 16]);
});

test('a code is made of exactly as many digits as asked for', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 40 }), (seed, digits) => {
      expect(randomCode(seededRandom(seed), digits)).toMatch(new RegExp(`^[0-9]{${digits}}$`));
    }),
  );
});

test('no digit of a code is favoured by its 256 bytes', () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const code = randomCode(drawFrom(bytes), 250);
  for (const digit of '0123456789') expect(code.split(digit).length - 1, `digit ${digit}`).toBe(25);
  expect(() => randomCode(drawFrom(bytes), 251)).toThrow('The bytes are used up.');
});

/** Give out these bytes one after the other, and fail when they are used up. */
function drawFrom(bytes: number[]): Random {
  let next = 0;
  return (length) => {
    if (next >= bytes.length) throw new Error('The bytes are used up.');
    const drawn = Uint8Array.from(bytes.slice(next, next + length));
    next += length;
    return drawn;
  };
}
