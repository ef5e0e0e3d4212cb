import { expect, test } from 'vitest';
import { asked, learned } from './testing/asked.ts';

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
  expect(text).toContain('ttl: left out, as the client is told seconds');
});

test('an id that later calls send is the user, and no session id', () => {
  const session = { authorization: `Bearer ${TOKEN}` };
  const { steps } = learned(
    ...signIn({ session_id: 'ss-778899aabb', local_id: 'lc-5544332211', token: TOKEN }),
    asked('POST', '/delete-account', session, { session_id: 'ss-778899aabb', local_id: 'lc-5544332211' }, [
      200,
      {},
    ]),
  );
  expect(steps.confirmOtp.extract.user).toBe('/local_id');
  expect(steps.deleteUser.json.local_id).toBe('${user}');
});
