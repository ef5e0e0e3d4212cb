import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Random, randomToken, seededRandom } from '#protocol/time/random.ts';
import { entropyBounds } from './entropy.ts';

const MIN_BITS = 72;

/** The lowest bound of tokens of one source. */
const weakest = (tokens: readonly string[]) => Math.min(...entropyBounds(tokens));

test('random tokens of 256 bits are never flagged, in any alphabet, beside each other', () => {
  for (const encoding of ['base64url', 'base64', 'hex'] as const) {
    const random = seededRandom(encoding.length);
    const tokens = Array.from({ length: 200 }, () => Buffer.from(random(32)).toString(encoding));
    expect(weakest(tokens)).toBeGreaterThanOrEqual(MIN_BITS);
  }
  fc.assert(
    fc.property(fc.integer(), (seed) => weakest([randomToken(seededRandom(seed))]) >= MIN_BITS),
    { numRuns: 200 },
  );
});

test.each([
  ['short', ['Xy7-kQ2pLm9', 'aB4dEf0hXy7']],
  ['a counter that grows longer', ['session-of-the-clinic-number-9', 'session-of-the-clinic-number-10']],
  [
    'a counter before a constant',
    ['9-this-session-is-of-the-same-clinic', '10-this-session-is-of-the-same-clinic'],
  ],
  ['a time stamp', ['1768467600123', '1768467600125']],
  [
    'a counter with a constant before it',
    ['Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy0001', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy0002'],
  ],
  ['one character again and again', ['a'.repeat(64), 'b'.repeat(64)]],
  ['two characters again and again', ['ab'.repeat(40), 'cd'.repeat(40)]],
  [
    'the same token',
    ['Xy7-kQ2pLm9_aB4dEf0hXy7-kQ2pLm9_aB4dEf0hXYZ', 'Xy7-kQ2pLm9_aB4dEf0hXy7-kQ2pLm9_aB4dEf0hXYZ'],
  ],
] as const)('a token is too weak that is %s', (_what, [first, second]) => {
  expect(weakest([first, second])).toBeLessThan(MIN_BITS);
});

const hexOf = (random: ReturnType<typeof seededRandom>, bytes: number) =>
  Buffer.from(random(bytes)).toString('hex');
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('identifiers that begin with a time are not taken for guessable ones', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const at = (index: number) => 1_768_467_600_000 + 40 * index;
    const ulids = Array.from({ length: 40 }, (_, index) => {
      const time = Array.from(
        { length: 10 },
        (_, place) => CROCKFORD[Math.floor(at(index) / 32 ** (9 - place)) % 32],
      );
      return time.join('') + Array.from(random(16), (byte) => CROCKFORD[byte % 32]).join('');
    });
    const uuids = (version: number) =>
      Array.from({ length: 40 }, (_, index) => {
        const time = at(index).toString(16).padStart(12, '0');
        const hex = version === 7 ? time + hexOf(random, 10) : hexOf(random, 16);
        const variant = '89ab'[(random(1)[0] as number) % 4];
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
      });
    for (const tokens of [ulids, uuids(7), uuids(4)])
      expect(weakest(tokens), tokens[0]).toBeGreaterThanOrEqual(MIN_BITS);
  }
});

test('identifiers of a clock and a machine, and those counted up, are guessable', () => {
  const uuid1 = (index: number) => `${(0x6f1d2c3b + 997 * index).toString(16)}-f2a1-11f0-9b7a-0242ac120002`;
  const sources: readonly ((index: number) => string)[] = [
    uuid1,
    (index) => `0000000000000000000000000000${index}`,
    (index) => `token-${String(index).padStart(26, '0')}`,
    (index) => Buffer.from(`a-constant-that-is-long-enough-${1_000 + index}`).toString('base64url'),
    (index) => `sess_${(1_768_467_600_000 + index * 37).toString(36)}_clinic-of-the-example-town`,
  ];
  for (const make of sources)
    expect(weakest(Array.from({ length: 20 }, (_, index) => make(index)))).toBeLessThan(MIN_BITS);
});

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A run's tokens: each character is drawn evenly. */
function drawn(
  random: Random,
  { count, length, alphabet }: { count: number; length: number; alphabet: string },
) {
  const even = 256 - (256 % alphabet.length);
  let bytes: number[] = [];
  const next = () => {
    while (bytes.length === 0) bytes = [...random(256)].filter((byte) => byte < even);
    return alphabet[(bytes.pop() ?? 0) % alphabet.length];
  };
  return Array.from({ length: count }, () => Array.from({ length }, next).join(''));
}

/** In `npm run test:all` five times as many. */
const RUNS = process.env.TEST_ALL === undefined ? 100 : 500;

test.each([1, 2, 4, 8, 196])('random tokens of 13 base62 characters, %d in a run, are strong', (count) => {
  for (let seed = 0; seed < RUNS; seed++) {
    const tokens = drawn(seededRandom(seed), { count, length: 13, alphabet: BASE62 });
    expect(weakest(tokens)).toBeGreaterThanOrEqual(MIN_BITS);
  }
});

test.each([
  ['hexadecimal', '0123456789abcdef', 17, 18],
  ['digits', '0123456789', 21, 22],
  ['base32', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 14, 15],
  ['base36', '0123456789abcdefghijklmnopqrstuvwxyz', 13, 14],
  ['base62', BASE62, 12, 13],
  ['base64url', `${BASE62}-_`, 11, 12],
])('random tokens in %s are judged by its size', (_name, alphabet, weak, strong) => {
  for (let seed = 0; seed < 50; seed++) {
    expect(weakest(drawn(seededRandom(seed), { count: 100, length: weak, alphabet }))).toBeLessThan(MIN_BITS);
    const bits = weakest(drawn(seededRandom(seed), { count: 100, length: strong, alphabet }));
    expect(bits).toBeGreaterThanOrEqual(MIN_BITS);
  }
});

test('a number that drops its leading zeros is not taken for a weak token', () => {
  for (let seed = 0; seed < 50; seed++) {
    const tokens = drawn(seededRandom(seed), { count: 196, length: 14, alphabet: BASE62 });
    expect(weakest(tokens.map((token) => token.replace(/^0+/, '')))).toBeGreaterThanOrEqual(MIN_BITS);
  }
});

test('a prefix does not make the alphabet of short tokens larger', () => {
  const tokens = drawn(seededRandom(1), { count: 20, length: 16, alphabet: '0123456789abcdef' });
  expect(weakest(tokens.map((token) => `sess_${token}`))).toBeLessThan(MIN_BITS);
});

test('short tokens among long ones are found', () => {
  const random = seededRandom(1);
  const long = drawn(random, { count: 60, length: 43, alphabet: `${BASE62}-_` });
  const short = drawn(random, { count: 20, length: 16, alphabet: '0123456789abcdef' });
  expect(weakest([...long, ...short])).toBeLessThan(MIN_BITS);
});
