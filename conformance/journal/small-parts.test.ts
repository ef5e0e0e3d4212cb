import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/digest.ts';
import { findCanaries } from './secrets/canaries.ts';
import { explainDigest, mistakes } from './secrets/digest-diagnosis.ts';
import { entropyBound } from './secrets/entropy.ts';

// Shows every mistake: an accent apart from its letter, a ligature, special characters at both ends.
const PASSWORD = ' Pässﬁe\u0301 ';
const SECRET = '-Sign-Of-Ann_';
const named = [{ name: 'a user_sign', value: SECRET }];

test.each(mistakes.map((mistake) => [mistake.what, mistake] as const))('a digest is explained: %s', (what, mistake) => {
  expect(explainDigest(mistake.digest(PASSWORD, SECRET), PASSWORD, named)).toBe(
    `${what} (the secret being a user_sign)`,
  );
});

test('neither the right digest nor an unknown one is explained as a mistake', () => {
  expect(explainDigest(digest(PASSWORD, SECRET), PASSWORD, named)).toBeUndefined();
  expect(explainDigest('f'.repeat(40), PASSWORD, named)).toBeUndefined();
  expect(explainDigest(digest('pw', 'x'), 'pw', [{ name: 'x', value: 'x' }])).toBeUndefined();
});

const others = [
  { name: 'authInfo.token', value: 'token-of-ann' },
  { name: 'authInfo.ttl', value: '1440' },
  { name: 'a user_sign', value: SECRET },
];

test('a digest over a value that is no secret of the call is explained by the name of the value', () => {
  const explain = (made: string) => explainDigest(made, PASSWORD, named, others);
  expect(explain(digest(PASSWORD, 'token-of-ann'))).toBe('the digest is over authInfo.token');
  expect(explain(digest(PASSWORD, '1440'))).toBe('the digest is over authInfo.ttl');
  expect(explain(digest(PASSWORD, 'token-of-ann').toUpperCase())).toBe(
    'the digest is over authInfo.token, and it is in upper case',
  );
  expect(explain(digest(SECRET, PASSWORD))).toBe(
    'the secret stands before the password (the secret being a user_sign)',
  );
  expect(explain(digest('another password', 'token-of-ann'))).toBeUndefined();
});

const MIN_BITS = 72;

test('random tokens of 256 bits are never flagged, in any alphabet, beside each other', () => {
  for (const encoding of ['base64url', 'base64', 'hex'] as const) {
    const random = seededRandom(encoding.length);
    const tokens = Array.from({ length: 200 }, () => Buffer.from(random(32)).toString(encoding));
    for (const [index, token] of tokens.entries())
      expect(entropyBound(token, tokens.slice(Math.max(0, index - 20), index))).toBeGreaterThanOrEqual(MIN_BITS);
  }
  fc.assert(
    fc.property(fc.integer(), (seed) => entropyBound(randomToken(seededRandom(seed)), []) >= MIN_BITS),
    { numRuns: 200 },
  );
});

test.each([
  ['short', ['Xy7-kQ2pLm9', 'aB4dEf0hXy7']],
  ['a counter that grows longer', ['session-of-the-clinic-number-9', 'session-of-the-clinic-number-10']],
  ['a counter before a constant', ['9-this-session-is-of-the-same-clinic', '10-this-session-is-of-the-same-clinic']],
  ['a time stamp', ['1768467600123', '1768467600125']],
  [
    'a counter with a constant before it',
    ['Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy0001', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy0002'],
  ],
  ['one character again and again', ['a'.repeat(64), 'b'.repeat(64)]],
  ['two characters again and again', ['ab'.repeat(40), 'cd'.repeat(40)]],
  ['the same token', ['Xy7-kQ2pLm9_aB4dEf0hXy7-kQ2pLm9_aB4dEf0hXYZ', 'Xy7-kQ2pLm9_aB4dEf0hXy7-kQ2pLm9_aB4dEf0hXYZ']],
] as const)('a token is too weak that is %s', (_what, [first, second]) => {
  expect(entropyBound(second, [first])).toBeLessThan(MIN_BITS);
});

/** The lowest bound of tokens of one source, each compared with those before it. */
const weakest = (tokens: readonly string[]) =>
  Math.min(...tokens.map((token, index) => entropyBound(token, tokens.slice(Math.max(0, index - 20), index))));

const hexOf = (random: ReturnType<typeof seededRandom>, bytes: number) => Buffer.from(random(bytes)).toString('hex');
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('identifiers that begin with a time are not taken for guessable ones', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed);
    const at = (index: number) => 1_768_467_600_000 + 40 * index;
    const ulids = Array.from({ length: 40 }, (_, index) => {
      const time = Array.from({ length: 10 }, (_, place) => CROCKFORD[Math.floor(at(index) / 32 ** (9 - place)) % 32]);
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

test('identifiers of a clock and a machine are found to be guessable, and so are those that are counted up', () => {
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

test('patient data is found in each form, and its absence too', () => {
  const value = 'Ström Ü?>7';
  const utf8 = Buffer.from(value);
  const encoded = encodeURIComponent(value);
  const hidden: [string, string][] = [
    ['plain', value.toUpperCase()],
    ['reversed', Array.from(value).reverse().join('')],
    ['JSON escapes', Array.from(value, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['JSON escapes of what is not ASCII', 'Str\\u00F6m \\u00dc?>7'],
    ['URL-encoded', encoded.toLowerCase()],
    ['form-encoded', encoded.replaceAll('%20', '+')],
    ['URL-encoded twice', encodeURIComponent(encoded)],
    ['hexadecimal', utf8.toString('hex').toUpperCase()],
    ['base64 at offset 0', utf8.toString('base64')],
    ['base64 at offset 1', Buffer.from(`x${value}y`).toString('base64')],
    ['base64 at offset 2', Buffer.from(`xx${value}yy`).toString('base64')],
    ['base64 at offset 2, URL alphabet', Buffer.from(`xx${value}yy`).toString('base64url')],
  ];
  const digits = ['+7 (916) 111-22-33', '7.916.111.22.33'];
  for (const text of digits) expect(findCanaries(Buffer.from(text), ['79161112233'])).toHaveLength(1);
  expect(findCanaries(Buffer.from('"\\\\u041a\\\\u0430"'), ['Ка'])).toHaveLength(1);
  for (const [form, text] of hidden)
    expect(
      findCanaries(Buffer.from(`<${text}>`), [value, 'Somebody']).map((found) => `${found.value} ${found.form}`),
    ).toContain(`${value} ${form}`);
  expect(findCanaries(Buffer.from('Strom U?>7'), [value])).toEqual([]);
});
