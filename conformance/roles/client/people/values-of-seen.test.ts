import { expect, test } from 'vitest';
import { patient } from '#protocol/wire/fields.ts';
import { changedRecord, markedRecord, people } from './people.ts';
import { valuesOf } from './values-of-seen.ts';

const { alena, darya, wilhelm } = people;
const secrets = () => new Map([['sign-0123456789', 'a user_sign']]);
const seen = (text: string, patient?: unknown, handed: object = {}) =>
  valuesOf(
    [{ sees: patient === undefined ? 'error' : 'patient', text, ...(patient !== undefined && { patient }) }],
    { typed: [], served: 'darya', secrets, ...handed },
  );

test.each([
  ['No record fits (-34001).', 'the number of an error'],
  ['No record fits [patient_not_matched].', 'the name of a reason'],
  ['ConnectionResetError: [Errno 104] reset', 'the name of an exception'],
  ['Try again: <html><body>Bad gateway', 'HTML'],
  ['Middle name: undefined', 'a value of a program'],
  ['Call 555-33000, from 9 to 17 ("help"). An Error has come up.', undefined],
])('the screen "%s" has %s', (text, raw) => {
  expect(seen(text).raw).toBe(raw);
});

const day = (birthdate: string) => ({ ...darya.patient, birthdate });
const ofWilhelm = { ...wilhelm.patient, email: darya.patient.email };
const typed = { typed: [alena.form], served: 'alena' };

test.each<[patient: object, values: object, handed?: object]>([
  [darya.patient, { record: 'darya', served: 'darya', version: 'first', altered: undefined }],
  [changedRecord, { record: 'darya', version: 'changed', altered: undefined }],
  [{ ...darya.patient, gender: 2 }, { altered: 'gender' }],
  [day('1987-11-22T21:00:00.000Z'), { altered: 'birthdate' }],
  [markedRecord, { altered: undefined }],
  [{ ...darya.patient, chart: Number(markedRecord.chart) }, { altered: 'chart' }],
  [ofWilhelm, { altered: 'email' }, { served: 'wilhelm' }],
  [alena.form, { spelling: 'typed' }, typed],
  [alena.patient, { spelling: 'recorded' }, typed],
])('of the record %o it is told %o, without a value', (patient, values, handed) => {
  expect({ altered: undefined, ...seen('', patient, handed) }).toMatchObject(values);
});

test('a page that groups the digits of a rounded number alters it', () => {
  expect(seen('Chart', 'Chart 9 007 199 254 740 992.').altered).toBe('chart');
  expect(seen('Chart', 'Chart 9 007 199 254 740 993.').altered).toBeUndefined();
});

test('a secret is found in the text of a screen', () => {
  expect(seen('Signed as sign-0123456789.')).toMatchObject({ secret: 'a user_sign' });
});

test.each(Object.entries(people))(
  'the record of %s is as the interface publishes records',
  (_name, person) => {
    expect(patient.safeParse(person.patient).error?.issues).toBeUndefined();
  },
);

test('a screen tells whose name stands in its texts and fields', () => {
  const beside = `Form ${darya.form.surname}`;
  expect(
    valuesOf([{ sees: 'form', text: 'Who are you?', beside }], { typed: [], served: undefined, secrets }),
  ).toMatchObject({ named: 'darya' });
  expect(seen('Who are you?').named).toBeUndefined();
});
