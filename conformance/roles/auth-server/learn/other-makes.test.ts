import { expect, test } from 'vitest';
import { asked, learned, linked, SIGN, TICKET } from './testing/asked.ts';

test('a server with one address and one status is told by its functions', () => {
  const call = (action: string, body: string, code: number, data: object | null) =>
    asked('POST', `/api.php?action=${action}`, {}, body, [200, { code, message: 'OK', data }]);
  const sid = 'a8f5f167f44f4964e6c998dee827110c';
  const { steps } = learned(
    call('sendSms', 'phone=79161234567&lang=ru', 0, null),
    call('checkSms', 'phone=79161234567&sms=9999', 12, null),
    call('checkSms', 'phone=79161234567&sms=4821', 0, { uid: 4711, sid }),
    call('profile', `sid=${sid}`, 0, { fio: 'Petrova', born: '12.04.1985' }),
    call('getTicket', `sid=${sid}`, 0, { ticket: TICKET }),
    call('linked', `sid=${sid}&sign=${SIGN}`, 0, null),
    call('exit', `sid=${sid}`, 0, null),
  );
  const telling = {
    success: { pointer: '/code', equals: 0 },
    refusal: { code: '/code', reason: '/message' },
  };
  const step = (action: string, form: object) => ({
    method: 'POST',
    path: `/api.php?action=${action}`,
    form,
    ...telling,
  });
  expect(steps).toEqual({
    requestOtp: step('sendSms', { phone: '${phone}', lang: 'ru' }),
    confirmOtp: {
      ...step('checkSms', { phone: '${phone}', sms: '${code}' }),
      extract: { user: '/data/uid', token: '/data/sid' },
    },
    exchangeToken: { ...step('getTicket', { sid: '${token}' }), extract: { exchangeToken: '/data/ticket' } },
    reportLink: step('linked', { sid: '${token}', sign: '${userSign}' }),
    logout: step('exit', { sid: '${token}' }),
    deleteUser: { absent: 'it is not in the recording' },
  });
});

test('a CSRF cookie that a header sends decoded is taken without its padding', () => {
  const cookies = (csrf: string, sid: string) => [`XSRF-TOKEN=${csrf}%3D`, `app_session=${sid}`];
  const headers = (csrf: string, sid: string) => ({
    cookie: cookies(csrf, sid).join('; '),
    'x-xsrf-token': `${csrf}=`,
  });
  const [before, after] = [
    headers('eyJpdiI6Ik1122', 'anon00112233'),
    headers('eyJpdiI6Ik3344', 'sess8899aabb'),
  ];
  const signIn = { phone: '9161234567', country_code: '+7' };
  const opened = { user: { id: 15, name: 'Canarina' }, ehr: { token: 'ehrTok998877665544' } };
  const { steps, phoneDigits } = learned(
    asked('GET', '/csrf-cookie', {}, undefined, [204, '', cookies('eyJpdiI6Ik1122', 'anon00112233')]),
    asked('POST', '/login/otp', before, signIn, [200, { message: 'Sent.' }]),
    asked('POST', '/login/verify', before, { ...signIn, code: '0000' }, [422, { message: 'Wrong.' }]),
    asked('POST', '/login/verify', before, { ...signIn, code: '4821' }, [
      200,
      opened,
      cookies('eyJpdiI6Ik3344', 'sess8899aabb'),
    ]),
    asked('POST', '/ehr/exchange-token', after, undefined, [200, { exchangeToken: TICKET }]),
    ...linked('15', 'ehrTok998877665544'),
    asked('POST', '/ehr/linked', after, { sign: SIGN }, [204]),
    asked('POST', '/logout', after, undefined, [204]),
  );
  expect(phoneDigits).toBe(10);
  expect(steps.requestOtp).toEqual({
    method: 'POST',
    path: '/login/otp',
    headers: {
      'x-xsrf-token': '${keep.xsrfToken}',
      Cookie: expect.stringContaining('app_session=${keep.appSession}'),
    },
    json: { phone: '${phone}', country_code: '+7' },
    before: {
      path: '/csrf-cookie',
      keep: expect.objectContaining({
        xsrfToken: { header: 'set-cookie', pattern: 'XSRF-TOKEN=([^;%]+)' },
        appSession: { cookie: 'app_session' },
      }),
    },
    refusal: { reason: '/message' },
  });
  expect(steps.confirmOtp.extract).toEqual({ user: '/user/id', token: '/ehr/token' });
  expect(steps.logout.headers.Cookie).toMatch(/app_session=\$\{keep\.appSession\d\}/);
});

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
