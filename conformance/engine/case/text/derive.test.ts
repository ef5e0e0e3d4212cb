import { expect, test } from 'vitest';
import { derived } from './derive.ts';

test.each([
  ['a1B2c3D4', 'token'],
  ['Bearer a1B2c3D4', `'Bearer ' + token`],
  ['aa1B2c3D44', `token.slice(0, 1) + token + token.slice(-1)`],
  ['A1b2C3d4', 'otherCase(token)'],
  ['a1b2c3d4', 'token.toLowerCase()'],
  ['a1B2x3D4', 'changedAt(token, 4)'],
  ['a1B2', 'token.slice(0, 4)'],
  ['a1B2c3D5', 'changedAt(token, -1)'],
])('the changed token %s is written as %s', (text, js) => {
  expect(derived(text, 'a1B2c3D4', 'token')).toBe(js);
});

test.each([
  ['+7 (999) 555-12-34', `spelled(phone, '+# (###) ###-##-##')`],
  ['88885551234', `'8888' + phone.slice(-7)`],
])('the other spelling %s of a phone is written as %s', (text, js) => {
  expect(derived(text, '79995551234', 'phone')).toBe(js);
});

test.each([
  ['٤٢١٣', 'inDigits(code, 1584)'],
  ['1234', 'reordered(code, [2, 1, 3, 0])'],
  ['42 13', `spelled(code, '## ##')`],
])('the other form %s of a code is written as %s', (text, js) => {
  expect(derived(text, '4213', 'code')).toBe(js);
});

test('a text that has nothing of the value is not derived', () => {
  expect(derived('another1', 'a1B2c3D4', 'token')).toBeUndefined();
});
