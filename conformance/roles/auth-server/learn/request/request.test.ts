import { expect, test } from 'vitest';
import { isWord } from '../calls.ts';
import { asked, learned } from '../testing/asked.ts';

const TOKEN = 'tokTok8877665544aa';
const session = { authorization: `Bearer ${TOKEN}` };
const signIn = [
  asked('POST', '/v1/accounts:sendCode', {}, { phone: '79161234567' }, [200, {}]),
  asked('POST', '/v1/accounts:signIn', {}, { phone: '79161234567', code: '4821' }, [
    200,
    { token: TOKEN, user: { id: 'usr-a81c99' } },
  ]),
];

test('a path keeps its colons, and only values become templates', () => {
  const { steps } = learned(
    ...signIn,
    asked('POST', '/v1/accounts:signOut', session, undefined, [204]),
    asked('DELETE', '/v1/user:remove/id:usr-a81c99', session, undefined, [204]),
  );
  expect(steps.requestOtp.path).toBe('/v1/accounts:sendCode');
  expect(steps.logout.path).toBe('/v1/accounts:signOut');
  expect(steps.deleteUser.path).toBe('/v1/user:remove/id:${user}');
});

test('an invented value has the shape of the recorded one', () => {
  const sent = {
    linkedAt: '2026-11-27T16:02:11.962+03:00',
    birthDate: '1985-04-12',
    ts: 1795795376431,
    height: 171.5,
    nickname: 'Anna',
  };
  const { steps } = learned(...signIn, asked('POST', '/v1/logout', session, sent, [204]));
  expect(steps.logout.json).toEqual({
    linkedAt: '2000-01-01T00:00:00.000+00:00',
    birthDate: '2000-01-01',
    ts: 1_000_000_000_000,
    height: 100,
    nickname: 'conformance-kit',
  });
});

test.each([
  ['exchange-token', true],
  ['requestOneTimePassword', true],
  ['getSMSCode', true],
  ['1.0-alpha', true],
  ['ABcdEFgh-IJkl_MNopQRst-UVwx', false],
  ['usr-a81c99', false],
])('that %s is a word of a path: %s', (part, isOne) => {
  expect(isWord(part)).toBe(isOne);
});
