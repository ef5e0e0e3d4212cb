import { expect, test } from 'vitest';
import { asked, learned, linked } from './testing/asked.ts';

const TOKEN = 'tokTok8877665544aa';
const SESSION = { cookie: `sid=${TOKEN}; seen=yes44556677` };

/** A sign-in by phone and code whose answer has these members. */
const signIn = (answer: object, cookies: string[] = []) => [
  asked('POST', '/otp', {}, { phone: '79161234567' }, [200, {}]),
  asked('POST', '/login', {}, { phone: '79161234567', code: '4821' }, [200, answer, cookies]),
];

test('the deletion is the request after its page', () => {
  const { steps } = learned(
    ...signIn({ userId: 'u-1' }, [`sid=${TOKEN}`, 'seen=yes44556677']),
    asked('GET', '/account/delete', SESSION, undefined, [200, '<form><button name="confirm">']),
    asked('POST', '/account/delete', SESSION, 'confirm=yes', [200, {}]),
    asked('GET', '/', { cookie: 'seen=yes44556677' }, undefined, [200, '<p>Bye']),
  );
  expect(steps.deleteUser).toMatchObject({
    method: 'POST',
    path: '/account/delete',
    form: { confirm: 'yes' },
  });
});

test('the subject of a JSON Web Token is the user', () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'ybDSR48huEeM' })).toString('base64url');
  const token = `eyJhbGciOiJIUzI1NiJ9.${claims}.sgn0011223344`;
  const session = { authorization: `Bearer ${token}` };
  const { steps, text } = learned(
    ...signIn({ expires_in: 3_600, person_ref: 'ybDSR48huEeM', id_token: token }),
    asked('POST', '/signOut', session, {}, [200, {}]),
  );
  expect(steps.confirmOtp.extract).toEqual({ user: '/person_ref', token: '/id_token' });
  expect(text.replaceAll(/\n *# /g, ' ')).toContain('ttl: left out, as the client is told seconds');
});

test('a user whom the token alone names is taken from its claim', () => {
  const jwt = (claims: object) =>
    `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sgn0011223344`;
  const token = jwt({ sub: 'ybDSR48huEeM', scope: 'ehr' });
  const session = { authorization: `Bearer ${token}` };
  const recording = [
    ...signIn({ access_token: token, token_type: 'Bearer' }),
    asked('DELETE', '/users/ybDSR48huEeM', session, undefined, [204]),
  ];
  const { steps } = learned(...recording);
  expect(steps.confirmOtp.extract.user).toEqual({ jwt: '/access_token', claim: 'sub' });
  expect(steps.deleteUser.path).toBe('/users/${user}');
  const other = jwt({ sub: 'another0011', uid: 'usr-77aa88bb' });
  const told = learned(...signIn({ access_token: other }), ...linked('usr-77aa88bb', other));
  expect(told.steps.confirmOtp.extract.user).toEqual({ jwt: '/access_token', claim: 'uid' });
});

test('a deletion is found by the words of a dotted name', () => {
  const session = { authorization: `Bearer ${TOKEN}` };
  const { steps } = learned(
    ...signIn({ token: TOKEN, userId: 'u-1' }),
    asked('POST', '/v1/auth.signOut', session, {}, [200, {}]),
    asked('POST', '/v1/auth.deleteMe', session, {}, [200, {}]),
  );
  expect([steps.logout.path, steps.deleteUser.path]).toEqual(['/v1/auth.signOut', '/v1/auth.deleteMe']);
});
