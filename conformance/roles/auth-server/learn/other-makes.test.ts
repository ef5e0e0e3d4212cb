import { expect, test } from 'vitest';
import { asked, learned, linked, TICKET } from './testing/asked.ts';

test('passwords, keys and private texts are replaced, and the user is told', () => {
  const [key, token] = [{ 'X-Api-Key': 'k3y-0011223344' }, 'AAbb00112233445566'];
  const session = { ...key, authorization: token };
  const { steps, left, text, variables, hasPlus } = learned(
    asked('POST', '/Account/SignIn', key, { Phone: '+79161234567', Password: 'Summer' }, [
      200,
      { Ok: true, Id: 771 },
    ]),
    asked('POST', '/Account/Confirm/771', key, { Code: 4821 }, [200, { Ok: false, ErrorText: 'No' }]),
    asked('POST', '/Account/Confirm/771', key, { Code: 4822 }, [
      200,
      { Ok: true, Value: { UserId: 9, Token: token } },
    ]),
    asked('POST', '/Ehr/Ticket?userId=9&page=9', session, {}, [200, { Ok: true, Value: TICKET }]),
    ...linked('9', token),
    asked('GET', '/Account/SignOut', session, undefined, [200, { Ok: true }]),
    asked('POST', '/Account/Close', session, { reason: 'canarina is away' }, [200, { Ok: true }]),
  );
  expect(steps.requestOtp).toMatchObject({
    path: '/Account/SignIn',
    headers: { 'x-api-key': { env: 'AUTH_X_API_KEY' } },
    json: { Phone: '${phone}', Password: 'conformance-kit' },
    keep: { id: '/Id' },
  });
  expect(steps.confirmOtp).toMatchObject({
    path: '/Account/Confirm/${keep.id}',
    success: { pointer: '/Ok', equals: true },
    refusal: { reason: '/ErrorText' },
  });
  expect(steps.exchangeToken).toMatchObject({
    path: '/Ehr/Ticket?userId=${user}&page=9',
    headers: { authorization: '${token}' },
  });
  expect([steps.logout.path, steps.deleteUser.path]).toEqual(['/Account/SignOut', '/Account/Close']);
  expect(left).toContain(
    'Look at the values that were not copied but invented: Password (requestOtp); reason (deleteUser).',
  );
  expect([variables, hasPlus]).toEqual([['AUTH_X_API_KEY'], true]);
  expect(text).not.toMatch(/summer|k3y|canarina|7916|4821|4822|AAbb/i);
});

test('a recording whose browser left the session out is told, with a guess', () => {
  const own = { 'user-agent': 'Browser' };
  const { steps, left } = learned(
    asked('POST', '/code', own, { phone: '79161234567' }, [200, {}]),
    asked('POST', '/login', own, { phone: '79161234567', code: '4821' }, [
      200,
      { token: 'tkn0011223344556677', userId: 'u1' },
    ]),
    asked('POST', '/ehr/token', own, {}, [200, { exchangeToken: TICKET }]),
  );
  expect(steps.exchangeToken.headers).toEqual({ Authorization: 'Bearer ${token}' });
  expect(left[0]).toContain('The recording has neither cookies nor Authorization headers');
  expect(left).toContain('No logout was found: log out once while recording.');
});

test('a recording without a sign-in is refused with what to record', () => {
  const only = asked('GET', '/news', {}, undefined, [200, { items: [] }]);
  expect(() => learned(only)).toThrow(
    'no call opens a session, among 1. Please record from before the phone',
  );
  const unsaved = { ...only, answer: { ...only.answer, body: null } };
  expect(() => learned(unsaved)).toThrow(
    '1 of its 1 answers have no content. Please save it again with content',
  );
});
