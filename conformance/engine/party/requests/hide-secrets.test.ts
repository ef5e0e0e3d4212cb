import { expect, test } from 'vitest';
import { secretHider } from './hide-secrets.ts';

test('a secret is hidden in every form in which programs write it', () => {
  const secret = 'pä "ss"/word';
  const hide = secretHider([secret]);
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    new URLSearchParams({ p: secret }).toString(),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ];
  for (const form of forms)
    expect(hide(`before ${form} after ${form}`), form).toMatch(/^before .{0,3}•••"? after .{0,3}•••"?$/);
});

test('of secrets that begin alike the longer one is hidden whole', () => {
  expect(secretHider(['abc', 'abcdef'])('abcdef abc')).toBe('••• •••');
});

test('an empty secret hides nothing', () => {
  expect(secretHider([''])('text')).toBe('text');
});
