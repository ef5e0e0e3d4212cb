import { expect, test } from 'vitest';
import { isSentence } from '../check.ts';
import { changedRecord, people } from './people.ts';
import { valuesOf } from './values-of-seen.ts';

const { alena, darya, wilhelm } = people;
const secrets = () => new Map([['sign-0123456789', 'a user_sign']]);
const seen = (text: string, patient?: unknown, handed: object = {}) =>
  valuesOf(
    [{ sees: patient === undefined ? 'error' : 'patient', text, ...(patient !== undefined && { patient }) }],
    { typed: [], served: 'darya', secrets, ...handed },
  );

test('a sentence has two words, or a few letters of a script without blanks, and is no text of a program', () => {
  for (const text of ['No record fits.', 'Код неверный.', '验证码错误，请检查后重新输入。', 'รหัสไม่ถูกต้อง'])
    expect([text, isSentence(text)]).toEqual([text, true]);
  for (const text of ['Sorry!', 'Ошибка.', '...', '-33000', 'HTTP 502', '{"error": "no record"}', '错误'])
    expect([text, isSentence(text)]).toEqual([text, false]);
});

test('texts for programs are found on a screen, and words for a person are not', () => {
  const raw = (text: string) => seen(text).raw;
  expect(raw('No record fits (-34001).')).toBe('the number of an error');
  expect(raw('No record fits [patient_not_matched].')).toBe('the name of a reason');
  expect(raw('ConnectionResetError: [Errno 104] reset')).toBe('the name of an exception');
  expect(raw('Try again: <html><body>Bad gateway')).toBe('HTML');
  expect(raw('Middle name: undefined')).toBe('a value of a program');
  expect(raw('Call 555-33000, from 9 to 17 ("help"). An Error has come up.')).toBeUndefined();
});

test('whose record is shown, how it is spelt, and what is changed in it is told without a value', () => {
  expect(seen('', darya.patient)).toMatchObject({ record: 'darya', served: 'darya', version: 'first' });
  expect(seen('', changedRecord)).toMatchObject({ record: 'darya', version: 'changed' });
  expect(seen('', changedRecord)).not.toHaveProperty('altered');
  expect(seen('', darya.patient)).not.toHaveProperty('altered');
  expect(seen('', { ...darya.patient, gender: 2 })).toMatchObject({ altered: 'gender' });
  expect(seen('', { ...darya.patient, birthdate: '1987-11-22T21:00:00.000Z' })).toMatchObject({
    altered: 'birthdate',
  });
  const filled = { ...wilhelm.patient, email: darya.patient.email };
  expect(seen('', filled, { served: 'wilhelm' })).toMatchObject({ altered: 'email' });
  expect(seen('', alena.form, { typed: [alena.form], served: 'alena' })).toMatchObject({ spelling: 'typed' });
  expect(seen('', alena.patient, { typed: [alena.form], served: 'alena' })).toMatchObject({
    spelling: 'recorded',
  });
});

test('a secret is found in the text of a screen, and in the record', () => {
  expect(seen('Signed as sign-0123456789.')).toMatchObject({ secret: 'a user_sign' });
  expect(seen('Yours.', { user_sign: 'sign-0123456789' })).toMatchObject({ secretInRecord: 'a user_sign' });
  expect(seen('Yours.', darya.patient)).not.toHaveProperty('secretInRecord');
});
