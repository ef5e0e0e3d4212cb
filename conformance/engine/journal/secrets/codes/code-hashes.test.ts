import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeHashes, hashIn } from './code-hashes.ts';

const hashes = codeHashes('481216', '79995550001');
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

test.each([
  ['md5', `{"transaction":"${md5('481216')}9f"}`],
  ['md5', md5('481216').toUpperCase()],
  ['sha256', createHash('sha256').update('79995550001481216').digest('base64url')],
  ['sha1', `x.${createHash('sha1').update('481216:79995550001').digest('base64')}`],
])('a %s of the code is found: %s', (algorithm, text) => {
  expect(hashIn(text, hashes)).toBe(algorithm);
});

test.each([
  '',
  '481216',
  md5('481217'),
  md5('481216').slice(0, 15),
  createHash('sha256').update('x').digest('base64'),
])('anything else is no hash of the code: %s', (text) => {
  expect(hashIn(text, hashes)).toBeUndefined();
});
