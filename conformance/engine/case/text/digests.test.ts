import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Digests } from './digests.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const [user, password, secret] = ['internal-user', ' pässword ', 'a1B2c3D4e5F6g7H8'];
const digests = new Digests({ user, password });
const right = sha1(password + secret);

test.each([
  [right, 'digest(sign)'],
  [sha1(secret + password), `hashed('sha1', sign + PASSWORD)`],
  [sha1(password.trim() + secret), `hashed('sha1', PASSWORD.trim() + sign)`],
  [sha1(password + secret.slice(0, -1)), 'digest(sign.slice(0, -1))'],
  [right.toUpperCase(), 'digest(sign).toUpperCase()'],
  [right.slice(0, 20), 'digest(sign).slice(0, 20)'],
  [`${right}0`, `digest(sign) + '0'`],
  [password + secret, 'PASSWORD + sign'],
])('the text %s is computed by %s', (text, js) => {
  expect(digests.over(secret, text, 'sign')).toBe(js);
});

test.each([
  [password, 'token', 'PASSWORD'],
  [sha1(password), 'token', `hashed('sha1', PASSWORD)`],
  [
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    '',
    `'Basic ' + base64(USER + ':' + PASSWORD)`,
  ],
  [`${user}-2`, 'user', `USER + '-2'`],
  ['internal', 'member', undefined],
])('of the credentials alone %s as %s is written as %s', (text, member, js) => {
  expect(digests.alone(text, member)).toBe(js);
});

test('a text that has nothing of the secret is not computed', () => {
  expect(digests.over(secret, sha1('another'), 'sign')).toBeUndefined();
});
