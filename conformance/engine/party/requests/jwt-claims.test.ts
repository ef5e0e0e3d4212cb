import { expect, test } from 'vitest';
import { claimsOf } from './jwt-claims.ts';
import { valuesFrom } from './read-answer.ts';

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${inBase64({ alg: 'none' })}.${inBase64({ sub: 17, 'a/b': 'x', roles: ['patient'] })}.`;

test('the claim of a token is a value, whatever its name', () => {
  const from = (claim: string, text = JSON.stringify({ data: { jwt: token } })) =>
    valuesFrom(
      { user: { jwt: '/data/jwt', claim } },
      { kind: 'answer', status: 200, headers: new Headers(), text },
      {},
    );
  expect(from('sub')).toEqual({ user: '17' });
  expect(from('a/b')).toEqual({ user: 'x' });
  for (const claim of ['roles', 'uid']) expect(from(claim)).toEqual({});
  expect(from('sub', '{"data":{"jwt":"opaque"}}')).toEqual({});
});

test.each(['', 'opaque', 'a.b', `a.${inBase64('text')}.c`, 'a.%%.c'])('%j has no claims', (text) => {
  expect(claimsOf(text)).toBeUndefined();
});
