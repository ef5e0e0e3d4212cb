import { expect, test } from 'vitest';
import { headersOf, post, proxyBed, type Seen } from '../../testing/proxy-bed.ts';
import { STEP_HEADER } from './body.ts';
import {
  byGet,
  bytesOf,
  fromPage,
  NO_UTF8,
  withBody,
  withDoubledMember,
  withHeader,
  withMembers,
  withValueInPlace,
} from './request-change.ts';

const request = (body: string, type = 'application/json') => ({
  method: 'POST',
  path: '/',
  body,
  headers: Object.entries({ 'Content-Type': type, 'content-length': String(Buffer.byteLength(body)) }),
});
const bodyAfter = (change: ReturnType<typeof withMembers>, body: string) => change(request(body)).body;

test('a header stands once, whatever case its name was in', () => {
  expect(
    withHeader('Origin', 'null')({ ...request(''), headers: [['origin', 'https://a.example']] }).headers,
  ).toEqual([['Origin', 'null']]);
});

test('a request from a page has its Origin, and no trace of the kit', () => {
  const headers: [string, string][] = [
    ['accept', '*/*'],
    ['traceparent', '00-1-2-01'],
  ];
  expect(fromPage('null')({ ...request(''), headers }).headers).toEqual([
    ['accept', '*/*'],
    ['Origin', 'null'],
  ]);
});

test('further members stand in a body and in the params of a call', () => {
  const changed = withMembers({ token: 'ä' })(request('{"method":"m","params":{"phone":"7"}}'));
  expect(JSON.parse(changed.body)).toEqual({ method: 'm', params: { phone: '7', token: 'ä' }, token: 'ä' });
  expect(changed.headers).toContainEqual(['content-length', String(Buffer.byteLength(changed.body))]);
});

test('a member stands twice, the other value before it or behind it', () => {
  const body = '{"params":{"phone":"71","code":"7"}}';
  for (const [value, other, sent] of [
    ['71', { first: '72' }, '{"params":{"phone":"72","phone":"71","code":"7"}}'],
    ['71', { last: '72' }, '{"params":{"phone":"71","phone":"72","code":"7"}}'],
    ['73', { last: '72' }, body],
  ] as const)
    expect(bodyAfter(withDoubledMember(value, other), body)).toBe(sent);
});

const FORM = 'application/x-www-form-urlencoded';

test('a further member becomes a field of a form', () => {
  expect(withMembers({ phone: '+71', token: 1 })(request('a=1', FORM)).body).toBe('a=1&phone=%2B71');
});

test('a field of a form or of a query stands twice', () => {
  const changed = withDoubledMember('+71', { last: '72' })(request('a=1&phone=%2B71', FORM));
  expect(changed.body).toBe('a=1&phone=%2B71&phone=72');
  expect(changed.headers).toContainEqual(['content-length', String(changed.body.length)]);
  const query = { ...request(''), path: '/otp?phone=71&a=1' };
  expect(withDoubledMember('71', { first: '72' })(query).path).toBe('/otp?phone=72&phone=71&a=1');
  const other = { ...request('a=1+b', FORM), path: '/otp?c=1%20d' };
  expect(withDoubledMember('71', { last: '72' })(other)).toEqual(other);
});

test('a value is replaced by a text or by a list', () => {
  expect(bodyAfter(withValueInPlace('71', '71,72'), '{"params":{"phone":"71"}}')).toBe(
    '{"params":{"phone":"71,72"}}',
  );
  expect(bodyAfter(withValueInPlace('71', ['71', '72']), '{"phone":"71"}')).toBe('{"phone":["71","72"]}');
  expect(withValueInPlace('71', '71\n72')(request('phone=71', FORM)).body).toBe('phone=71%0A72');
  expect(withValueInPlace('71', ['71', '72'])(request('phone=71', FORM)).body).toBe(
    'phone%5B%5D=71&phone%5B%5D=72',
  );
});

test('a POST becomes a GET whose query has what the body said', () => {
  expect(byGet(request('{"phone":"71","params":{"a":1}}'))).toEqual({
    method: 'GET',
    path: '/?phone=71&params=%7B%22a%22%3A1%7D',
    headers: [],
    body: '',
  });
  expect(byGet({ ...request('a=1', FORM), path: '/x?b=2' }).path).toBe('/x?b=2&a=1');
  expect(byGet(request('')).path).toBe('/');
  const other = { ...request(''), method: 'DELETE' };
  expect(byGet(other)).toEqual(other);
});

test('a body is cut, with its length', () => {
  expect(withBody((body) => body.slice(0, 3))(request('{"a":1}'))).toEqual(request('{"a'));
});

test.each(['', 'a=1', '[1]', '"text"', '{'])('a body that is no JSON object stays: %s', (body) => {
  for (const change of [withMembers({ token: 't' }), withDoubledMember('71', { last: '72' })])
    expect(bodyAfter(change, body)).toBe(body);
});

test('the proxy changes the request of one step, as the journal shows', async () => {
  const { proxy, seen, exchanges, recorder } = await proxyBed();
  const step = recorder.step({ scenario: 's', user: 'Ann', step: 'confirmOtp', label: 'sign in' });
  proxy.changeRequest(step.seq, (given) => withHeader('X-Odd', 'yes')(withMembers({ more: 'ü' })(given)));
  const headers = { 'content-type': 'application/json', [STEP_HEADER]: String(step.seq) };
  const send = () => fetch(proxy.url, { method: 'POST', headers, body: '{"id":1}' });
  expect((await send()).status).toBe(200);
  await send();
  await post(proxy);
  const [changed, again, other] = seen as [Seen, Seen, Seen];
  expect(JSON.parse(changed.body.toString())).toEqual({ id: 1, more: 'ü' });
  expect(headersOf(changed, 'x-odd')).toEqual(['yes']);
  expect(headersOf(changed, STEP_HEADER)).toEqual([]);
  for (const each of [again, other]) expect(headersOf(each, 'x-odd')).toEqual([]);
  expect(exchanges()[0]?.request.headers).toContainEqual(['X-Odd', 'yes']);
  expect(exchanges()[0]?.request.body).toContain('more');
});

test('a byte that is no UTF-8 is sent and counted as one', () => {
  const made = withBody((body) => body + NO_UTF8)(request('é'));
  expect([...bytesOf(made.body)]).toEqual([0xc3, 0xa9, 0xff]);
  expect(made.headers).toEqual(request('abc').headers);
});
