import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Patient, PatientProperties } from '#protocol/wire/fields.ts';
import { nameKey, phoneKey } from '#protocol/wire/matching.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { matchQuery } from '../match-patient.ts';
import { patientInserter } from './insert.ts';
import { createMemoryMis } from './memory.ts';
import { prepareMisSchema } from './schema.ts';
import { openSqliteMis } from './sqlite.ts';

const stored: Patient = {
  id: 'p-1',
  created: '2024-03-01T00:00:00.000Z',
  active: true,
  isActive: true,
  surname: 'Núñez-Ødegård',
  middleName: null,
  name: 'Пётр Ёлкин',
  phones: ['79990000005'],
  email: null,
  gender: 0,
  birthdate: '1979-12-31T00:00:00.000Z',
  deceased: false,
  maritalStatus: 5,
  photo: null,
  familyMembers: [],
  address: null,
  medcardNumber: null,
  insurances: [],
};
const right = {
  surname: stored.surname,
  name: stored.name,
  date: stored.birthdate.slice(0, 10),
  phone: '79990000005',
};

/** The patients whom the typed values find among the stored ones, in SQLite and in memory alike. */
function found(typed: Partial<PatientProperties>, patients: readonly Patient[]): readonly string[] {
  const database = openSqlite(':memory:');
  onTestFinished(() => void database.close());
  prepareMisSchema(database);
  for (const patient of patients) patientInserter(database)(patient);
  const query = matchQuery({ patientProperties: { ...right, ...typed } }, []);
  const ids = openSqliteMis(database).match(query);
  expect(createMemoryMis(patients).match(query)).toEqual(ids);
  return ids;
}

/** Whether the typed values find the stored patient, through the query and the database. */
const finds = (typed: Partial<PatientProperties>) => found(typed, [stored]).length === 1;

proves(['D26-unicode'], 'a composed and a decomposed name are one', () => {
  expect(finds({ surname: right.surname.normalize('NFD') })).toBe(true);
  expect(finds({ surname: 'Nunez-Odegard' })).toBe(false);
});

proves(['D26-spaces'], 'spaces around and between names make no difference, a missing one does', () => {
  expect(finds({ name: '  Пётр \u00a0  Ёлкин ' })).toBe(true);
  expect(finds({ name: 'ПётрЁлкин' })).toBe(false);
});

proves(['D26-case'], 'letter case makes no difference', () => {
  expect(finds({ surname: 'NÚÑEZ-ØDEGÅRD', name: 'пётр ёЛКИН' })).toBe(true);
  expect(finds({ surname: 'núñez-ødegård' })).toBe(true);
  expect(new Set(['Groß', 'GROSS', 'GROẞ', 'gross'].map(nameKey))).toEqual(new Set(['gross']));
  expect(nameKey('ΟΔΥΣΣΕΥΣ')).toBe(nameKey('Οδυσσευς'));
});

proves(['D26-yo'], 'ё and е are one letter, in either case and form', () => {
  expect(finds({ name: 'Петр Елкин' })).toBe(true);
  expect(finds({ name: 'Пе\u0308тр Е\u0308лкин' })).toBe(true);
  expect(finds({ name: 'Пйтр Елкин' })).toBe(false);
});

proves(['D39-look-alike-signs'], 'a patient is found with any look-alike of a sign in the record', () => {
  for (const signs of ["'\u2019\u02bc\u2018`", '-\u2010\u2011'])
    for (const one of signs)
      for (const other of signs) {
        const patients = [{ ...stored, surname: `O${one}Keefe` }];
        expect([one, other, found({ surname: `o${other}keefe\u200e` }, patients)]).toEqual([
          one,
          other,
          ['p-1'],
        ]);
      }
});

proves(['D39-look-alike-signs'], 'patients who differ in such a sign alone are twins', () => {
  const patients = ["O'Keefe", 'O\u2019Keefe', 'O-Keefe'].map((surname, at) => ({
    ...stored,
    id: `p-${at}`,
    surname,
  }));
  for (const surname of ["O'Keefe", 'O`Keefe']) expect(found({ surname }, patients)).toEqual(['p-0', 'p-1']);
  expect(found({ surname: 'O\u2010Keefe' }, patients)).toEqual(['p-2']);
});

proves(['D25-date-forms', 'D25-day-only'], 'every form of the date is its day as written', () => {
  for (const date of [
    ...['1979-12-31 00:00:00.000', '1979-12-31 23:59:59', '1979-12-31T23:59:59.999Z', '1979-12-31T00:00:00Z'],
    '1979-12-31',
  ])
    expect(finds({ date }), date).toBe(true);
  expect(finds({ date: '1980-01-01 00:00:00.000' })).toBe(false);
});

proves(['D27-phone-punctuation', 'D27-leading-eight'], 'punctuation and a leading 8 do not matter', () => {
  for (const phone of ['+7 (999) 000-00-05', '8.999.000.00.05', '8 999 000 00 05', '7-999-000-00-05'])
    expect(finds({ phone }), phone).toBe(true);
  expect(finds({ phone: '99990000005' })).toBe(false);
});

test('a phone key is digits alone, keeps itself, and survives any separators', () => {
  const separators = fc.array(fc.constantFrom(' ', '+', '-', '(', ')', '.', ''), {
    minLength: 16,
    maxLength: 16,
  });
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{5,15}$/), separators, (number, between) => {
      const key = phoneKey(number);
      expect(key).toMatch(/^[0-9]{5,15}$/);
      expect(phoneKey(key as string)).toBe(key);
      expect(phoneKey([...number].map((digit, at) => between[at] + digit).join(''))).toBe(key);
    }),
  );
});
