import { expect, test } from 'vitest';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import { Handed } from './handed.ts';
import type { Callee } from './message-fault.ts';
import { EHR_METHODS, faultsOf } from './messages.ts';

const SESSION = { user: 'user', token: 'token' };
const FORM = {
  name: 'Ann Lee',
  surname: 'O’Hara',
  date: '1985-04-12',
  phone: '+7 (916) 111-22-33',
  gender: 0,
};
const SIGN = 'a-signature';

/** The rules that a message breaks, in words. */
function broken(to: Callee, members: object): string[] {
  const handed = new Handed();
  handed.typed.push(FORM);
  handed.learn(JSON.stringify({ result: { authInfo: SESSION, exchangeToken: 'given', user_sign: SIGN } }));
  const body = JSON.stringify({ jsonrpc: '2.0', id: '1', ...members });
  const headers: [string, string][] = [['content-type', 'application/json']];
  const request = { method: 'POST', path: to === 'ehr' ? '/1.0-alpha/' : '/', headers, body };
  const faults = faultsOf(to, { request } as RawExchange, handed.known(to), '1.0-alpha');
  return faults.map(({ rule, what }) => `${rule}: ${what}`);
}

function brokenByForm(properties: object, more: object = {}): string[] {
  const { name, surname } = FORM;
  const date = '1985-04-12 00:00:00.000';
  const patientProperties = { name, surname, date, phone: '79161112233', gender: 0, ...properties };
  const params = { exchangeToken: 'given', patientProperties };
  return broken('ehr', { method: EHR_METHODS.authenticate, params, ...more });
}

test('a cred of null in authenticate is no cred, as clients of the field send it', () => {
  expect(brokenByForm({}, { cred: null, apiKey: null })).toEqual([]);
  expect(brokenByForm({})).toEqual([]);
  expect(brokenByForm({}, { cred: SESSION })).toEqual(['no-cred: authenticate has a cred']);
  expect(brokenByForm({}, { cred: {} })).toEqual(['no-cred: authenticate has a cred']);
});

test('where a method has no params they may be left out, or an empty list', () => {
  for (const params of [undefined, [], {}]) {
    expect(broken('ehr', { method: EHR_METHODS.read, cred: SESSION, params })).toEqual([]);
    expect(broken('auth', { method: 'auth.exchange_token', cred: SESSION, params })).toEqual([]);
  }
  for (const params of [[1], 'none', null])
    expect(broken('ehr', { method: EHR_METHODS.read, cred: SESSION, params })).toEqual([
      'params: params is no object',
    ]);
});

test.each(['1985-04-12', '1985-04-12T00:00:00.000Z', '1985-04-12 00:00:00Z', '1985-04-12 00:00:00'])(
  'the date of birth %s is read by EHR servers, and not in the full form',
  (date) => {
    expect(brokenByForm({ date })).toEqual([
      `date-form: date has the form "${date.replace(/\d/g, '9').replace(/[TZ]/g, 'a')}"`,
    ]);
  },
);

test('a date of another day, or in no form of the interface, is reported', () => {
  expect(brokenByForm({ date: '1985-04-11 00:00:00.000' })).toEqual([
    'date: date is another day than was typed',
  ]);
  expect(brokenByForm({ date: '12.04.1985 00:00:00.000' })).toEqual([
    'date: date has the form "99.99.9999 99:99:99.999"',
  ]);
});

test('a phone is digits alone, and may have 7 in place of a leading 8', () => {
  expect(brokenByForm({ phone: '89161112233' })).toEqual([]);
  expect(brokenByForm({ phone: FORM.phone })).toEqual(['phone: phone has the form "+9 (999) 999-99-99"']);
  expect(brokenByForm({ phone: '79160000000' })).toEqual(['phone: phone is not the one typed']);
});

test('a gender may be left out or null', () => {
  for (const gender of [undefined, null, 0]) expect(brokenByForm({ gender })).toEqual([]);
  expect(brokenByForm({ gender: 1 })).toEqual(['gender: gender is not the one typed']);
});

test('blanks, case and the kind of Unicode composition do not change a name', () => {
  expect(brokenByForm({ surname: FORM.surname.toUpperCase() })).toEqual([]);
  expect(brokenByForm({ name: ' Ann  Lee ' })).toEqual([]);
  expect(brokenByForm({ name: 'Ann' })).toEqual(['names: name is not what was typed']);
});

test('the report of a link has the user_sign, and nothing else', () => {
  const report = (params: object) => broken('auth', { method: 'auth.report_link', cred: SESSION, params });
  expect(report({ user_sign: SIGN })).toEqual([]);
  expect(report({})).toEqual(['user-sign: it has no user_sign']);
  expect(report({ user_sign: SIGN, year: 1985 })).toEqual([
    'extra-members: params has 1 more than user_sign',
  ]);
});

test('a method of the internal channel is named', () => {
  const actual = broken('ehr', { method: 'embedded_storage.save_auth_info', cred: SESSION, params: {} });
  expect(actual).toEqual([
    'method: the method embedded_storage.save_auth_info is not one that a client calls there',
  ]);
});

test('the session of an earlier sign-in is reported, but not where a person has two tabs', () => {
  const handed = new Handed();
  for (const token of ['one', 'two'])
    handed.learn(JSON.stringify({ result: { authInfo: { user: 'user', token } } }));
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: EHR_METHODS.read, params: {} },
    cred: { user: 'user', token: 'one' },
  });
  const request = {
    method: 'POST',
    path: '/1.0-alpha/',
    headers: [['content-type', 'application/json']],
    body,
  };
  const found = () =>
    faultsOf('ehr', { request } as RawExchange, handed.known('ehr'), '1.0-alpha').map(({ what }) => what);
  expect(found()).toEqual(['cred.token is not the token of the newest sign-in']);
  handed.note({ do: 'otherTab' });
  expect(found()).toEqual([]);
});
