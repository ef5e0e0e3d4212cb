import { expect, test } from 'vitest';
import { fill, fillAddress, loneVariable, MissingValueError, variablesIn } from './template.ts';

test('variables are filled in wherever they stand', () => {
  expect(fill('+${phone}, code ${code}.', { phone: '7999', code: '12' })).toBe('+7999, code 12.');
  expect(fill('no variable', {})).toBe('no variable');
  expect(fill('${ports.auth}${ports.auth}', { 'ports.auth': '80' })).toBe('8080');
});

test('a value is not looked through for variables', () => {
  expect(fill('${code}', { code: '${token}', token: 'secret' })).toBe('${token}');
});

test('a value in an address is encoded, and the text around it is not', () => {
  expect(fillAddress('/a b/${user}?q=${code}', { user: 'x/y?z', code: '&' })).toBe('/a b/x%2Fy%3Fz?q=%26');
});

test('what holds a missing optional variable is left out', () => {
  expect(fill('sign=${userSign?}', {})).toBeUndefined();
  expect(fill('sign=${userSign?}', { userSign: 's' })).toBe('sign=s');
});

test('what says who calls is left out when the harness calls as nobody', () => {
  for (const name of ['user', 'token', 'keep.cookie']) expect(fill(`Bearer \${${name}}`, {})).toBeUndefined();
});

test('an address has a gap where a value is missing that may be', () => {
  expect(fillAddress('/users/${user}/x?sign=${userSign?}', {})).toBe('/users//x?sign=');
  expect(() => fillAddress('/${phone}', {})).toThrow(MissingValueError);
});

test('any other missing value is a defect of the caller', () => {
  expect(() => fill('${code}', { phone: '7999' })).toThrow(MissingValueError);
});

test('$${ stands for ${ itself', () => {
  expect(fill('$${code} costs $5 {x}', {})).toBe('${code} costs $5 {x}');
  expect(variablesIn('$${code}')).toEqual([]);
});

test('the variables of a text are listed, and a broken one is noticed', () => {
  expect(variablesIn('a ${phone} b ${userSign?}')).toEqual([
    { name: 'phone', optional: false },
    { name: 'userSign', optional: true },
  ]);
  for (const text of ['${', '${}', '${phone', '${ phone }', '${1a}', '${phone??}'])
    expect(variablesIn(text), text).toBeUndefined();
  expect(variablesIn('malformed')).toEqual([]);
});

test('a text that is one variable alone is told apart', () => {
  expect(loneVariable('${milliseconds}')).toBe('milliseconds');
  expect(loneVariable('${milliseconds} ms')).toBeUndefined();
  expect(loneVariable('milliseconds')).toBeUndefined();
});
