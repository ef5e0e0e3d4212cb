import { expect, test } from 'vitest';
import { asked, type Body, learned, linked, TICKET } from '../testing/asked.ts';

const TOKEN = 'tokTok8877665544aa';
const HTML = { accept: 'text/html' };
const bearer = { authorization: `Bearer ${TOKEN}` };
const cookieOf = (...cookies: string[]) => ({ ...HTML, cookie: cookies.join('; ') });

test('constants of an inline script are written, its secrets are taken from it', () => {
  const script = `<script>
    const API_KEY = 'kEy0011223344556677';
    send({ type: 'SMS_OTP', lang: 'ru', build: '2026.11.3', headers: { 'X-Requested-With': 'XMLHttpRequest' } });
  </script>`;
  const headers = { 'x-requested-with': 'XMLHttpRequest', 'x-client-version': 'Web/Core/10.7.1' };
  const about = { type: 'SMS_OTP', lang: 'ru' };
  const phone = '79161234567';
  const { steps } = learned(
    asked('GET', '/', HTML, undefined, [200, script]),
    asked('POST', '/otp?key=kEy0011223344556677', headers, { ...about, phone }, [200, { attempt: 17 }]),
    asked('POST', '/login', headers, { ...about, attempt: 17, code: '4821' }, [200, { token: TOKEN }]),
    asked('POST', '/logout', bearer, about, [204]),
  );
  expect(steps.requestOtp).toEqual({
    method: 'POST',
    path: '/otp?key=${keep.apiKey}',
    headers,
    json: { ...about, phone: '${phone}' },
    before: {
      path: '/',
      headers: { Accept: 'text/html' },
      keep: { apiKey: { pattern: expect.stringContaining('API_KEY') } },
    },
    keep: { attempt: '/attempt' },
  });
  expect(steps.confirmOtp).toMatchObject({ headers, json: { ...about, attempt: '${keep.attempt}' } });
  expect(steps.logout).toMatchObject({ json: about });
});

test('a CSRF field comes from a page that has it, never from an attempt', () => {
  let drawn = 0;
  const form = (fields = '') =>
    `<form method="post"><input type="hidden" name="csrf" value="mask${++drawn}0011223344">${fields}</form>`;
  const field = () => `csrf=mask${drawn}0011223344`;
  const sent = (path: string, cookie: object, body: Body, location: string, cookies: string[] = []) =>
    asked('POST', path, { ...HTML, ...cookie }, body, [302, '', cookies, location]);
  const [old, own] = [cookieOf('sid=anon00112233'), cookieOf(`sid=${TOKEN}`)];
  const wrong = () =>
    asked('POST', '/verify', old, `${field()}&code=0000`, [200, form('<p class="error">Wrong</p>')]);
  const { steps } = learned(
    asked('GET', '/', HTML, undefined, [200, '<p>Welcome', ['sid=anon00112233']]),
    asked('GET', '/login', old, undefined, [200, form()]),
    sent('/login', old, `${field()}&phone=79161234567`, '/verify'),
    asked('GET', '/verify', old, undefined, [200, form()]),
    wrong(),
    sent('/verify', old, `${field()}&code=4821`, '/home', [`sid=${TOKEN}`]),
    asked('GET', '/home', own, undefined, [200, form()]),
    asked('POST', '/connect', own, field(), [200, `${form()}<div data-exchange-token="${TICKET}"></div>`]),
    ...linked('79161234567', TOKEN),
    sent('/connected', own, `${field()}&signature=Sg-77_aaBBccDDeeFF00`, '/home'),
    sent('/logout', own, field(), '/'),
  );
  const home = { path: '/home', headers: { Accept: 'text/html', Cookie: 'sid=${token}' } };
  const pattern = expect.stringContaining('name="csrf"');
  // The page of the form sets the cookie of a session, too, where it is sent none.
  expect(steps.requestOtp).toMatchObject({
    headers: { Cookie: 'sid=${keep.sid}' },
    form: { csrf: '${keep.csrf}', phone: '${phone}' },
    before: {
      path: '/login',
      headers: { Accept: 'text/html' },
      keep: { sid: { cookie: 'sid' }, csrf: { pattern } },
    },
  });
  expect(steps.requestOtp.before.headers).not.toHaveProperty('Cookie');
  expect(steps.confirmOtp).toMatchObject({
    form: { csrf: '${keep.csrf3}', code: '${code}' },
    before: { path: '/verify', headers: { Cookie: 'sid=${keep.sid}' }, keep: { csrf3: { pattern } } },
    extract: { token: { cookie: 'sid' } },
    success: { statuses: [302] },
    refusal: { statuses: [200] },
  });
  expect(steps.exchangeToken).toMatchObject({
    before: home,
    extract: { exchangeToken: { pattern: expect.stringContaining('data-exchange-token') } },
    keep: { csrf5: { pattern } },
  });
  // The page of the exchange token has the form of the report.
  expect(steps.reportLink).not.toHaveProperty('before');
  expect(steps.reportLink.form).toEqual({ csrf: '${keep.csrf5}', signature: '${userSign}' });
  expect(steps.logout).toMatchObject({ before: home });
});

test.each([
  ['an attribute', `<div data-exchange-token="${TICKET}" data-theme="dark">`],
  ['a hidden field', `<form><input type="hidden" name="exchange_token" value="${TICKET}"></form>`],
  ['a script', `<script>window.app = { exchangeToken: "${TICKET}" }</script>`],
  ['JSON in an attribute', `<div data-page="{&quot;exchangeToken&quot;:&quot;${TICKET}&quot;}">`],
])('an exchange token in %s of a page is found', (_where, page) => {
  const news = '<input type="hidden" name="csrf" value="drawn001122334455">';
  const { steps } = learned(
    asked('POST', '/otp', {}, { phone: '79161234567' }, [200, {}]),
    asked('POST', '/login', {}, { phone: '79161234567', code: '4821' }, [200, { token: TOKEN }]),
    asked('GET', '/news', bearer, undefined, [200, news]),
    asked('GET', '/record', { ...HTML, ...bearer }, undefined, [200, page]),
    asked('POST', '/logout', bearer, {}, [204]),
  );
  expect(steps.exchangeToken).toMatchObject({ method: 'GET', path: '/record' });
  const { pattern } = steps.exchangeToken.extract.exchangeToken;
  expect(new RegExp(pattern, 'u').exec(page)?.[1]).toBe(TICKET);
});

test('the drawn parameter of a link comes from the page that has the link', () => {
  const own = cookieOf(`sid=${TOKEN}`);
  const link = '<a href="/exit?action=logout&amp;nonce=6f0c2b19aa&amp;to=%2Fhome">Log out</a>';
  const { steps } = learned(
    asked('POST', '/otp', {}, { phone: '79161234567' }, [200, {}]),
    asked('POST', '/login', {}, { phone: '79161234567', code: '4821' }, [200, {}, [`sid=${TOKEN}`]]),
    asked('GET', '/cabinet', own, undefined, [200, link]),
    asked('GET', '/exit?action=logout&nonce=6f0c2b19aa', own, undefined, [302, '', [], '/?login=ended']),
  );
  const { path, before, refusal } = steps.logout;
  expect([path, before.path]).toEqual(['/exit?action=logout&nonce=${keep.nonce}', '/cabinet']);
  expect(new RegExp(before.keep.nonce.pattern, 'u').exec(link)?.[1]).toBe('6f0c2b19aa');
  // Where a success leads is no refusal, by its query neither.
  expect('/?login=ended').not.toMatch(new RegExp(refusal.location));
});
