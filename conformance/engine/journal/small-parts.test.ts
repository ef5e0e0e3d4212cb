import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { findCanaries } from './secrets/canaries.ts';
import { explainDigest, mistakes } from './secrets/found/digest-diagnosis.ts';

// Shows every mistake: a dash, an accent apart from its letter, a ligature, special characters at both ends.
const PASSWORD = ' Päss–ﬁe\u0301 ';
const SECRET = '-Sign-Of-Ann_';
const named = [{ name: 'a user_sign', value: SECRET }];

test.each(mistakes.map((mistake) => [mistake.what, mistake] as const))(
  'a digest is explained: %s',
  (what, mistake) => {
    expect(explainDigest(mistake.digest(PASSWORD, SECRET), PASSWORD, named)).toBe(
      `${what} (the secret being a user_sign)`,
    );
  },
);

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

test('a digest over another value is explained by the name of that value', () => {
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

test('patient data is found in each form, and its absence too', () => {
  const value = 'Ström Ü?>7';
  const utf8 = Buffer.from(value);
  const encoded = encodeURIComponent(value);
  const hidden: [string, string][] = [
    ['plain', value.toUpperCase()],
    ['reversed', Array.from(value).reverse().join('')],
    [
      'JSON escapes',
      Array.from(value, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
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
      findCanaries(Buffer.from(`<${text}>`), [value, 'Somebody']).map(
        (found) => `${found.value} ${found.form}`,
      ),
    ).toContain(`${value} ${form}`);
  expect(findCanaries(Buffer.from('Strom U?>7'), [value])).toEqual([]);
});
