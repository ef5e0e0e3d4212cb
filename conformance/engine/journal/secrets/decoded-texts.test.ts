import { expect, test } from 'vitest';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import { decodedTexts } from './decoded-texts.ts';

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
