/** The kit learns the steps of an adapter file from recordings, which these tests write themselves. */
import { expect, test } from 'vitest';
import { isWord } from './read-calls.ts';
import {
  EXCHANGE_TOKEN,
  ehrCallsOfLink,
  exchangeOf,
  learnFrom,
  PHONE,
  signIn,
} from './testing/recordings.ts';

const TOKEN = 'tokTok8877665544aa';
const session = { authorization: `Bearer ${TOKEN}` };
const SESSION = { cookie: `sid=${TOKEN}; seen=yes44556677` };

const jwt = (claims: object) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sgn0011223344`;

test('the deletion is the request after its page', () => {
  const { steps } = learnFrom(
    ...signIn({ userId: 'u-1' }, { cookies: [`sid=${TOKEN}`, 'seen=yes44556677'] }),
    exchangeOf('GET', '/account/delete', SESSION, undefined, [200, '<form><button name="confirm">']),
    exchangeOf('POST', '/account/delete', SESSION, 'confirm=yes', [200, {}]),
    exchangeOf('GET', '/', { cookie: 'seen=yes44556677' }, undefined, [200, '<p>Bye']),
  );
  expect(steps.deleteUser).toMatchObject({
    method: 'POST',
    path: '/account/delete',
    form: { confirm: 'yes' },
  });
});

test('the subject of a JSON Web Token is the user', () => {
  const token = jwt({ sub: 'ybDSR48huEeM' });
  const session = { authorization: `Bearer ${token}` };
  const { steps, text } = learnFrom(
    ...signIn({ expires_in: 3_600, person_ref: 'ybDSR48huEeM', id_token: token }),
    exchangeOf('POST', '/signOut', session, {}, [200, {}]),
  );
  expect(steps.confirmOtp.extract).toEqual({ user: '/person_ref', token: '/id_token' });
  expect(text.replaceAll(/\n *# /g, ' ')).toContain('ttl: left out, as the client is told seconds');
});

test('a user whom the token alone names is taken from its claim', () => {
  const token = jwt({ sub: 'ybDSR48huEeM', scope: 'ehr' });
  const session = { authorization: `Bearer ${token}` };
  const recording = [
    ...signIn({ access_token: token, token_type: 'Bearer' }),
    exchangeOf('DELETE', '/users/ybDSR48huEeM', session, undefined, [204]),
  ];
  const { steps } = learnFrom(...recording);
  expect(steps.confirmOtp.extract.user).toEqual({ jwt: '/access_token', claim: 'sub' });
  expect(steps.deleteUser.path).toBe('/users/${user}');
  const other = jwt({ sub: 'another0011', uid: 'usr-77aa88bb' });
  const told = learnFrom(...signIn({ access_token: other }), ...ehrCallsOfLink('usr-77aa88bb', other));
  expect(told.steps.confirmOtp.extract.user).toEqual({ jwt: '/access_token', claim: 'uid' });
});

test('a deletion is found by the words of a dotted name', () => {
  const { steps } = learnFrom(
    ...signIn({ token: TOKEN, userId: 'u-1' }),
    exchangeOf('POST', '/v1/auth.signOut', session, {}, [200, {}]),
    exchangeOf('POST', '/v1/auth.deleteMe', session, {}, [200, {}]),
  );
  expect([steps.logout.path, steps.deleteUser.path]).toEqual(['/v1/auth.signOut', '/v1/auth.deleteMe']);
});

test('passwords, keys and private texts are replaced, and the user is told', () => {
  const [key, token] = [{ 'X-Api-Key': 'k3y-0011223344' }, 'AAbb00112233445566'];
  const session = { ...key, authorization: token };
  const { steps, left, text, variables, hasPlus } = learnFrom(
    exchangeOf('POST', '/Account/SignIn', key, { Phone: '+79161234567', Password: 'Summer' }, [
      200,
      { Ok: true, Id: 771 },
    ]),
    exchangeOf('POST', '/Account/Confirm/771', key, { Code: 4821 }, [200, { Ok: false, ErrorText: 'No' }]),
    exchangeOf('POST', '/Account/Confirm/771', key, { Code: 4822 }, [
      200,
      { Ok: true, Value: { UserId: 9, Token: token } },
    ]),
    exchangeOf('POST', '/Ehr/Ticket?userId=9&page=9', session, {}, [
      200,
      { Ok: true, Value: EXCHANGE_TOKEN },
    ]),
    ...ehrCallsOfLink('9', token),
    exchangeOf('GET', '/Account/SignOut', session, undefined, [200, { Ok: true }]),
    exchangeOf('POST', '/Account/Close', session, { reason: 'canarina is away' }, [200, { Ok: true }]),
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
  const { steps, left } = learnFrom(
    ...signIn({ token: TOKEN, userId: 'u1' }, { headers: own }),
    exchangeOf('POST', '/ehr/token', own, {}, [200, { exchangeToken: EXCHANGE_TOKEN }]),
  );
  expect(steps.exchangeToken.headers).toEqual({ Authorization: 'Bearer ${token}' });
  expect(left[0]).toContain('The recording has neither cookies nor Authorization headers');
  expect(left).toContain('No logout was found: log out once while recording.');
});

test('a recording without a sign-in is refused with what to record', () => {
  const only = exchangeOf('GET', '/news', {}, undefined, [200, { items: [] }]);
  expect(() => learnFrom(only)).toThrow(
    'no call opens a session, among 1. Please record from before the phone',
  );
  const unsaved = { ...only, answer: { ...only.answer, body: null } };
  expect(() => learnFrom(unsaved)).toThrow(
    '1 of its 1 answers have no content. Please save it again with content',
  );
});

test('bodies that are not read are told, not taken for missing steps', () => {
  const [otp, confirm] = signIn({ token: TOKEN });
  if (!otp || !confirm) throw new Error('no sign-in');
  const ticket = exchangeOf('POST', '/ehr/ticket', session, {}, [200, {}]);
  const answered = (call: typeof ticket, body: string | null) => ({
    ...call,
    answer: { ...call.answer, body },
  });
  for (const body of [null, ")]}',\n{}"])
    expect(learnFrom(otp, confirm, answered(ticket, body)).left[0]).toContain(
      'Nothing was learned from bodies of POST /ehr/ticket:',
    );
  expect(() => learnFrom(otp, answered(confirm, null), ticket)).toThrow(
    '1 of its 3 answers have no content.',
  );
});

test('a code in an unsaved request is told, not taken for none', () => {
  const [otp, confirm] = signIn({ token: TOKEN });
  if (!otp || !confirm) throw new Error('no sign-in');
  const cut = { ...confirm, request: { ...confirm.request, body: null } };
  const recording = [otp, cut, exchangeOf('POST', '/logout', session, {}, [200, {}])];
  expect(() => learnFrom(...recording)).toThrow(
    '1 of its 3 requests have no content, and the code may be in one.',
  );
});

test('a sign-in by multipart has its code, and the file says so', () => {
  const part = (name: string, value: string) =>
    `--xX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const type = { 'content-type': 'multipart/form-data; boundary=xX' };
  const { steps, text } = learnFrom(
    exchangeOf('POST', '/otp', type, `${part('phone', PHONE)}--xX--`, [200, {}]),
    exchangeOf('POST', '/login', type, `${part('phone', PHONE)}${part('code', '4821')}--xX--`, [
      200,
      { token: TOKEN },
    ]),
    exchangeOf('POST', '/logout', session, {}, [200, {}]),
  );
  expect(steps.confirmOtp.form).toEqual({ phone: '${phone}', code: '${code}' });
  expect(text).toContain('sent as multipart/form-data');
});

test.each([
  ['/v1/people/Petrova/leave', '/v1/people/conformance-kit/leave'],
  ['/v1/logout/petrova', '/v1/logout/conformance-kit'],
  ['/Out/Petrova-Canarina', '/Out/conformance-kit'],
  ['/v1/users/Sidorova/logout', '/v1/users/conformance-kit/logout'],
  ['/api/Account/SignOut', '/api/Account/SignOut'],
])('of the path %s the file has no name: %s', (path, written) => {
  const { steps, text } = learnFrom(
    ...signIn({ token: TOKEN, userId: 'u-1' }),
    ...ehrCallsOfLink('u-1', TOKEN),
    exchangeOf('POST', path, session, {}, [200, {}]),
  );
  expect(steps.logout.path).toBe(written);
  expect(text).not.toMatch(/petrova|sidorova/i);
});

const WRONG = 'No refusal was found: type one wrong code while recording.';

/** A sign-in whose answers have these members, and a refused one before it. */
const flagged = (ok: object, refused?: [status: number, body: object]) => [
  exchangeOf('POST', '/otp', {}, { phone: PHONE }, [200, ok]),
  ...(refused ? [exchangeOf('POST', '/login', {}, { phone: PHONE, code: '0000' }, refused)] : []),
  exchangeOf('POST', '/login', {}, { phone: PHONE, code: '4821' }, [200, { ...ok, token: TOKEN }]),
  exchangeOf('POST', '/logout', session, {}, [200, ok]),
];

test('without a wrong code any other value of the flag is a refusal', () => {
  const { steps, left } = learnFrom(...flagged({ status: 'ok' }));
  for (const step of [steps.requestOtp, steps.confirmOtp, steps.logout]) {
    expect(step.success).toEqual({ pointer: '/status', equals: 'ok' });
    expect(step).not.toHaveProperty('refusal');
  }
  expect(left).toContain(WRONG);
});

test.each([
  [
    { status: 'error', code: 'WRONG', text: 'No' },
    { code: '/code', reason: '/text' },
  ],
  [{ status: 'error', text: 'No' }, { reason: '/text' }],
  [{ status: 'error' }, undefined],
])('the flag of a success is no code of the refusal %j', (refusal, expected) => {
  const { steps, left } = learnFrom(...flagged({ status: 'ok' }, [200, refusal]));
  const { success, refusal: found } = steps.confirmOtp;
  expect([success, found]).toEqual([{ pointer: '/status', equals: 'ok' }, expected]);
  expect(left).not.toContain(WRONG);
});

test('a sentence is the reason of a refusal, a word its code', () => {
  const refusal = { error: 'invalid_grant', error_description: 'The code is wrong.' };
  const { steps } = learnFrom(...flagged({}, [400, refusal]));
  expect(steps.confirmOtp.refusal).toEqual({ code: '/error', reason: '/error_description' });
});

test('a number that tells success is the code of a refusal, too', () => {
  const { steps } = learnFrom(...flagged({ code: 0 }, [200, { code: 12, message: 'No' }]));
  expect(steps.confirmOtp).toMatchObject({
    success: { pointer: '/code', equals: 0 },
    refusal: { code: '/code', reason: '/message' },
  });
});

test('the own code of a server is taken before the type of a problem', () => {
  const problem = { type: 'https://clinic.test/wrong', title: 'Wrong', status: 401, errorCode: 'WRONG' };
  const { steps } = learnFrom(...flagged({}, [401, problem]));
  expect(steps.confirmOtp.refusal).toEqual({ code: '/errorCode', reason: '/title' });
  const field = { message: 'The code is wrong.', errors: { code: ['The code is wrong.'] } };
  expect(learnFrom(...flagged({}, [422, field])).steps.confirmOtp.refusal).toEqual({ reason: '/message' });
});

test('a recording that sends the token is not said to lack it', () => {
  const own = { 'user-agent': 'Browser' };
  const { left } = learnFrom(
    ...signIn({ sid: TOKEN }, { headers: own }),
    exchangeOf('POST', '/logout', own, { sid: TOKEN }, [200, {}]),
  );
  expect(left.join(' ')).not.toContain('neither cookies nor Authorization headers');
});

const byColon = [
  exchangeOf('POST', '/v1/accounts:sendCode', {}, { phone: PHONE }, [200, {}]),
  exchangeOf('POST', '/v1/accounts:signIn', {}, { phone: PHONE, code: '4821' }, [
    200,
    { token: TOKEN, user: { id: 'usr-a81c99' } },
  ]),
];

test('a path keeps its colons, and only values become templates', () => {
  const { steps } = learnFrom(
    ...byColon,
    exchangeOf('POST', '/v1/accounts:signOut', session, undefined, [204]),
    exchangeOf('DELETE', '/v1/user:remove/id:usr-a81c99', session, undefined, [204]),
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
  const { steps } = learnFrom(...byColon, exchangeOf('POST', '/v1/logout', session, sent, [204]));
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
