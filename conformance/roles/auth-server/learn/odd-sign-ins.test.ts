import { expect, test } from 'vitest';
import { asked, type Body, learned, linked, TICKET } from './testing/asked.ts';

test('a page that shows its form again and an old session are learned', () => {
  const cookie = { cookie: 'PHPSESSID=9f8e7d6c5b4a39281706' };
  const page = (method: string, path: string, body: Body, status: number, location?: string) =>
    asked(method, path, cookie, body, [status, '<p>Welcome', [], location]);
  const { steps } = learned(
    asked('GET', '/login.php', {}, undefined, [200, '<form>', ['PHPSESSID=9f8e7d6c5b4a39281706']]),
    page('POST', '/login.php', 'phone=79161234567', 302, 'code.php'),
    page('POST', '/code.php', 'code=0000', 200),
    page('POST', '/code.php', 'code=4821', 302, '/cabinet/'),
    asked('POST', '/ticket.php', cookie, undefined, [200, { ticket: TICKET }]),
    ...linked('79161234567', '9f8e7d6c5b4a39281706'),
    page('GET', '/logout.php', undefined, 302, '/login.php'),
  );
  expect(steps.confirmOtp).toMatchObject({
    headers: { Cookie: 'PHPSESSID=${keep.phpsessid}' },
    extract: { user: { value: '${phone}' }, token: { value: '${keep.phpsessid}' } },
    success: { statuses: [302], location: '^(?:https?://[^/]+)?/cabinet' },
    refusal: { statuses: [200] },
  });
  expect(steps.logout).toMatchObject({ method: 'GET', headers: { Cookie: 'PHPSESSID=${token}' } });
});

test('requests that lie between phone, code and session come before the steps', () => {
  const token = 'tokTok8877665544aa';
  const session = { authorization: `Session ${token}` };
  const [flow, vt] = ['fl-9988776655aa', 'vt-1122334455bb'];
  const { steps, text } = learned(
    asked('POST', '/login', {}, { phone: '79161234567' }, [200, { flow }]),
    asked('POST', `/login/${flow}/send`, {}, { channel: 'sms' }, [200, {}]),
    asked('POST', `/login/${flow}/verify`, {}, { code: '0000' }, [400, { error: 'bad' }]),
    asked('POST', `/login/${flow}/verify`, {}, { code: '4821' }, [200, { vt }]),
    asked('POST', '/sessions', {}, { vt }, [200, { session: { id: token }, user: { id: 'usr-1' } }]),
    asked('POST', '/ehr', session, {}, [200, { token: TICKET }]),
    ...linked('usr-1', token),
    asked('DELETE', `/sessions/${token}`, session, undefined, [204]),
  );
  expect(steps.requestOtp).toMatchObject({
    path: '/login/${keep.flow}/send',
    json: { channel: 'sms' },
    before: { method: 'POST', path: '/login', json: { phone: '${phone}' }, keep: { flow: '/flow' } },
  });
  expect(steps.confirmOtp).toMatchObject({
    path: '/sessions',
    json: { vt: '${keep.vt}' },
    before: { path: '/login/${keep.flow}/verify', json: { code: '${code}' }, keep: { vt: '/vt' } },
    extract: { user: '/user/id', token: '/session/id' },
  });
  expect(steps.logout.path).toBe('/sessions/${token}');
  expect(text).toContain('it opens the session after the code was confirmed');
});

test('a phone and a token in lists without names are found', () => {
  const token = 'tokTok8877665544aa';
  const call = (method: string, params: unknown[], answer: object, more = {}) =>
    asked('POST', '/rpc', {}, { id: 1, method, params, ...more }, [200, answer]);
  const { steps } = learned(
    call('sendCode', ['79161234567', 'ru'], { result: true }),
    call('login', ['79161234567', '0000'], { error: { code: 401, message: 'no' } }),
    call('login', ['79161234567', '4821'], { result: [12, token, 1440] }),
    call('ehrToken', [], { result: TICKET }, { auth: token }),
    ...linked('12', token),
    call('logout', [], { result: true }, { auth: token }),
  );
  expect(steps.requestOtp.json.params).toEqual(['${phone}', 'ru']);
  expect(steps.confirmOtp).toMatchObject({
    json: { params: ['${phone}', '${code}'] },
    extract: { user: '/result/0', token: '/result/1' },
    success: { pointer: '/result/1' },
    refusal: { code: '/error/code', reason: '/error/message' },
  });
});
