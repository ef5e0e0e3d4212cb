import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { findCanaries } from '../canaries.ts';
import { decodedTexts, unpackedTexts } from '../decoded-texts.ts';
import { explainDigest, MISTAKES } from './digest-diagnosis.ts';
import { algorithmOfHashIn, codeHashes, findPatientHashes, recognizerOfPatientHashes } from './hashes.ts';
import { traceIn } from './stack-traces.ts';

const ofCode = codeHashes('481216', '79995550001');
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

test.each([
  ['md5', `{"transaction":"${md5('481216')}9f"}`],
  ['md5', md5('481216').toUpperCase()],
  ['sha256', createHash('sha256').update('79995550001481216').digest('base64url')],
  ['sha1', `x.${createHash('sha1').update('481216:79995550001').digest('base64')}`],
])('a %s of the code is found: %s', (algorithm, text) => {
  expect(algorithmOfHashIn(text, ofCode)).toBe(algorithm);
});

test.each([
  '',
  '481216',
  md5('481217'),
  md5('481216').slice(0, 15),
  createHash('sha256').update('x').digest('base64'),
])('anything else is no hash of the code: %s', (text) => {
  expect(algorithmOfHashIn(text, ofCode)).toBeUndefined();
});

const ofPatient = recognizerOfPatientHashes(new Map([['Quokka', 'surname']]));
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text);

test.each([
  ['md5', hash('md5', 'Quokka').digest('hex').toUpperCase()],
  ['sha1', hash('sha1', 'quokka').digest('hex')],
  ['sha256', hash('sha256', 'QUOKKA').digest('base64')],
  ['sha512', hash('sha512', 'Quokka').digest('base64url')],
])('a %s of patient data is found', (algorithm, text) => {
  expect(findPatientHashes(`{"note":"${text}"}`, ofPatient)).toEqual([`surname hashed with ${algorithm}`]);
});

test('other hashes are not found, and none where no patient is known', () => {
  expect(findPatientHashes(hash('sha256', 'Quokkas').digest('hex'), ofPatient)).toEqual([]);
  expect(
    findPatientHashes(hash('sha256', 'Quokka').digest('hex'), recognizerOfPatientHashes(new Map())),
  ).toEqual([]);
});

test('compressed texts and texts in UTF-16 are read', () => {
  const text = 'the surname is Quokka';
  for (const packed of [gzipSync(text), deflateSync(text), Buffer.from(text, 'utf16le')])
    expect(unpackedTexts(`{"note":"${packed.toString('base64')}"}`)).toContain(text);
  expect(unpackedTexts('{"note":"the-surname-is-not-here"}')).not.toContain(text);
});

test.each(['', 'v', 'v=', 'v=1', '{"phone":"79990000001","code":"'])(
  'base64 of either alphabet is read after %j',
  (before) => {
    const text = `${before};204863;and more`;
    for (const alphabet of ['base64', 'base64url'] as const)
      expect(decodedTexts(`{"challenge":"${Buffer.from(text).toString(alphabet)}"}`)).toContain(text);
  },
);

test('a signed token is read', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256' })}.${part({ otp: 204863 })}.${randomToken(seededRandom(1))}`;
  expect(decodedTexts(token)).toEqual(['{"alg":"HS256"}', '{"otp":204863}']);
});

test('tokens, words and numbers decode to nothing that can be read', () => {
  const random = seededRandom(1);
  const tokens = Array.from({ length: 500 }, () => randomToken(random));
  expect(
    decodedTexts(`${tokens.join(' ')} {"challenge":"sign-in","expiresIn":300,"at":1768467600123}`),
  ).toEqual([]);
});

test.each([
  [
    'Python',
    JSON.stringify({
      detail: 'Traceback (most recent call last):\n  File "/srv/app.py", line 12, in finish',
    }),
  ],
  ['Java', 'at com.example.Otp.confirm(Otp.java:42)'],
  ['Node.js', JSON.stringify({ stack: new Error('odd').stack })],
  ['Node.js', 'TypeError: x\n    at async confirm (file:///srv/otp.mjs:4:11)'],
  ['Node.js', JSON.stringify({ stack: 'TypeError: x\n    at C:\\srv\\otp.js:4:11' })],
  ['PHP', '#0 /var/www/Otp.php(12): confirm()'],
  ['PHP', 'Fatal error: Uncaught TypeError in /var/www/Otp.php on line 12'],
  ['Ruby', "app/otp.rb:12:in `confirm'"],
  ['Go', 'goroutine 12 [running]:'],
  ['.NET', JSON.stringify('   at Otp.Api.Confirm(String code) in C:\\src\\Otp.cs:line 12')],
])('a trace of %s is seen: %s', (platform, text) => {
  expect(traceIn(text)).toBe(platform);
});

test.each([
  '{"detail":"The code is wrong."}',
  '{"at":"2026-01-15T09:00:00.000Z","next":"https://auth.example:8443/sign-in"}',
  'Call us at (8:00:00) or write to help@otp.rb',
  '{"message":"look at /outbox at 12:30:15"}',
])('a usual answer has none: %s', (text) => {
  expect(traceIn(text)).toBeUndefined();
});

// Shows every mistake: a dash, an accent apart from its letter, a ligature, special characters at both ends.
const PASSWORD = ' Päss–ﬁe\u0301 ';
const SECRET = '-Sign-Of-Ann_';
const named = [{ name: 'a user_sign', value: SECRET }];

test.each(Object.entries(MISTAKES))('a digest is explained: %s', (what, digestOf) => {
  const explained = explainDigest(digestOf(PASSWORD, SECRET), PASSWORD, named);
  expect(explained).toBe(`${what} (the secret being a user_sign)`);
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
