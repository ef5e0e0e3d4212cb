import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { TokenSources } from './token-sources.ts';

const hash = (algorithm: string, value: string) => createHash(algorithm).update(value).digest();

test('hashes of counters, phones and earlier tokens are told from drawn tokens', () => {
  const sources = new TokenSources();
  sources.learn('79995550001', 'a phone');
  sources.learn('earlier', 'an earlier token');
  expect(sources.of(hash('sha256', '4711').toString('hex'))).toBe('the SHA256 of a counted number');
  expect(sources.of(hash('md5', '79995550001').toString('hex').toUpperCase())).toBe('the MD5 of a phone');
  expect(sources.of(hash('sha1', 'earlier').toString('base64url'))).toBe('the SHA1 of an earlier token');
  expect(sources.of(hash('sha512', '12').toString('base64'))).toBe('the SHA512 of a counted number');
  const random = seededRandom(3);
  for (let drawn = 0; drawn < 50; drawn++) {
    expect(sources.of(Buffer.from(random(32)).toString('base64url'))).toBeUndefined();
    expect(sources.of(Buffer.from(random(32)).toString('hex'))).toBeUndefined();
  }
});

test('a UUID made of the MD5 of a counter is found', () => {
  const hex = hash('md5', '17').toString('hex');
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  expect(new TokenSources().of(uuid)).toBe('the MD5 of a counted number');
  expect(new TokenSources().of('')).toBeUndefined();
});

test('hashes of a phone and the time are told, others not', () => {
  const now = 1_800_000_000_123;
  const phones = ['79995550001', '79995550002'];
  const told = (text: string) =>
    new TokenSources().ofPhoneAt(hash('sha1', text).toString('hex'), phones, now);
  expect(told('79995550002:1800000001')).toBe('the SHA1 of a phone and the time');
  expect(told('1800000000120-79995550001')).toBe('the SHA1 of a phone and the time');
  expect(told('79995550003:1800000001')).toBeUndefined();
  expect(told('79995550001:1800000009')).toBeUndefined();
});
