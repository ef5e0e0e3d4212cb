import { expect, onTestFinished } from 'vitest';
import type { Patient, PatientProperties } from '#protocol/wire/fields.ts';
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

proves(
  ['D26-unicode', 'D26-spaces', 'D26-case', 'D26-yo', 'D25-day-only', 'D27-leading-eight'],
  'a patient is found in every spelling of one key, and in no other',
  () => {
    for (const [typed, count] of [
      [{ surname: right.surname.normalize('NFD') }, 1],
      [{ surname: 'NÚÑEZ-ØDEGÅRD', name: ' пётр \u00a0 ёЛКИН' }, 1],
      [{ name: 'Петр Елкин' }, 1],
      [{ date: '1979-12-31T23:59:59.999Z' }, 1],
      [{ phone: '8.999.000.00.05' }, 1],
      [{ surname: 'Nunez-Odegard' }, 0],
      [{ name: 'ПётрЁлкин' }, 0],
      [{ date: '1980-01-01 00:00:00.000' }, 0],
      [{ phone: '99990000005' }, 0],
    ] as const)
      expect([typed, found(typed, [stored]).length]).toEqual([typed, count]);
  },
);

proves(['D39-look-alike-signs'], 'patients who differ in such a sign alone are twins', () => {
  const patients = ["O'Keefe", 'O\u2019Keefe', 'O-Keefe'].map((surname, at) => ({
    ...stored,
    id: `p-${at}`,
    surname,
  }));
  for (const surname of ["O'Keefe", 'O`Keefe']) expect(found({ surname }, patients)).toEqual(['p-0', 'p-1']);
  expect(found({ surname: 'O\u2010Keefe' }, patients)).toEqual(['p-2']);
});
