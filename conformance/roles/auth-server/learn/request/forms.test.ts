import { expect, test } from 'vitest';
import { asked, type Body, learned, linked, TICKET } from '../testing/asked.ts';

const TOKEN = 'tokTok8877665544aa';
const HTML = { accept: 'text/html' };
const FORM = { origin: 'https://auth.test', ...HTML };

let drawn = 0;
const form = (fields = '') =>
  `<form method="post"><input type="hidden" name="csrf" value="mask${++drawn}0011223344">${fields}</form>`;
const last = () => `csrf=mask${drawn}0011223344`;
const state = (at: number) => `state=st${at}0011223344`;
const cookie = (...cookies: string[]) => ({ cookie: cookies.join('; ') });

/** A page that asks for another method by a field, and whose every answer draws its cookie again. */
function recording() {
  let at = 0;
  const get = (path: string, own: string[], text: string) =>
    asked('GET', path, { ...HTML, ...cookie(...own, state(at)) }, undefined, [200, text, [state(++at)]]);
  const post = (path: string, own: string[], body: Body, location: string, set: string[] = []) => {
    const headers = { ...FORM, ...cookie(...own, state(at)) };
    return asked('POST', path, headers, body, [
      303,
      '',
      [state(++at), ...set],
      `https://auth.test${location}`,
    ]);
  };
  const sid = [`sid=${TOKEN}`];
  return [
    asked('GET', '/session/new', HTML, undefined, [200, form(), [state(at)]]),
    post('/session', [], `${last()}&session[phone]=%2B7 916 123-45-67`, '/session/code'),
    get('/session/code', [], form()),
    asked('POST', '/session/code', { ...FORM, ...cookie(state(at)) }, `${last()}&code=0000`, [
      422,
      form(),
      [state(++at)],
    ]),
    post('/session/code', [], `${last()}&code=4821`, '/home', sid),
    get('/home', sid, form('<input type="hidden" name="confirm" value="1">')),
    asked('POST', '/ehr', { ...FORM, ...cookie(...sid, state(at)) }, last(), [200, { token: TICKET }]),
    ...linked('79161234567', TOKEN),
    post('/session', sid, `_method=delete&confirm=1&${last()}`, '/session/new'),
    post('/account', sid, `_method=delete&${last()}`, '/'),
  ];
}

test('a method that a form writes into a field tells the steps apart', () => {
  const { steps } = learned(...recording());
  expect(steps.logout).toMatchObject({
    method: 'POST',
    path: '/session',
    form: { _method: 'delete', confirm: '1' },
  });
  expect(steps.deleteUser).toMatchObject({ path: '/account', form: { _method: 'delete' } });
});

test('a request before a step sends the cookie of an earlier answer', () => {
  const { steps } = learned(...recording());
  const [, kept] = /state=(\S+)/.exec(steps.confirmOtp.headers.Cookie) ?? [];
  expect(steps.requestOtp.keep).toEqual({ [kept?.slice(7, -1) ?? '']: { cookie: 'state' } });
  expect(steps.confirmOtp.before).toMatchObject({
    path: '/session/code',
    headers: { Cookie: `state=${kept}` },
  });
});

test('a redirect below the own path is no refusal', () => {
  const { steps } = learned(...recording());
  const back = new RegExp(steps.requestOtp.refusal.location);
  expect(['/session', 'https://auth.test/session?x', '/session/code'].map((to) => back.test(to))).toEqual([
    true,
    true,
    false,
  ]);
  // A user without a session is led to the page of the sign-in, after any step.
  for (const { refusal } of [steps.exchangeToken, steps.deleteUser])
    expect('https://auth.test/session/new').toMatch(new RegExp(refusal.location));
  expect('/session/new').not.toMatch(new RegExp(steps.logout.refusal.location));
  expect(steps.confirmOtp).not.toHaveProperty('refusal');
});

test('a user who is named by the phone is so without the plus', () => {
  const { steps, hasPlus } = learned(...recording());
  expect([hasPlus, steps.requestOtp.form['session[phone]']]).toEqual([false, '+${phone}']);
  expect(steps.confirmOtp.extract.user).toEqual({ value: '${phone}' });
});

test('cookies that are older than the recording are told', () => {
  const own = { ...HTML, cookie: `_ga=GA1.2.55443322; csrftoken=old00112233; sid=${TOKEN}` };
  const { left, steps } = learned(
    asked('POST', '/otp', own, 'phone=79161234567', [200, {}]),
    asked('POST', '/login', own, 'phone=79161234567&code=4821', [200, {}, ['sid=newSid0011223344']]),
    asked('POST', '/logout', { ...HTML, cookie: 'sid=newSid0011223344' }, '', [200, {}]),
  );
  expect(left).toContain(
    'No answer sets the cookies csrftoken, sid: record in a private window, which has none yet.',
  );
  expect(steps.logout.headers).toEqual({ Accept: 'text/html', Cookie: 'sid=${token}' });
});
