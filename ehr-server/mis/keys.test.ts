import { expect, onTestFinished } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type Patient, type PatientProperties, patient } from '#protocol/wire/fields.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { matchQuery } from '../match-patient.ts';
import { patientInserter } from './insert.ts';
import { createMemoryMis } from './memory.ts';
import { prepareMisSchema } from './schema.ts';
import { openSqliteMis } from './sqlite.ts';

const stored: Patient = {
  ...patient.parse(ehrMethods['patient.get_patient'].example.result.patient),
  ...{ id: 'p-1', surname: 'Núñez-Ødegård', name: 'Пётр Ёлкин', phones: ['79990000005'] },
  gender: 0,
  birthdate: '1979-12-31T00:00:00.000Z',
};
/** The properties that find the stored patient. */
const storedProperties = {
  surname: stored.surname,
  name: stored.name,
  date: stored.birthdate.slice(0, 10),
  phone: '79990000005',
};

/** The patients whom the typed values find among the stored ones, in SQLite and in memory alike. */
function foundBy(typed: Partial<PatientProperties>, patients: readonly Patient[]): readonly string[] {
  const database = openSqlite(':memory:');
  onTestFinished(() => void database.close());
  prepareMisSchema(database);
  for (const one of patients) patientInserter(database)(one);
  const query = matchQuery({ patientProperties: { ...storedProperties, ...typed } }, []);
  const ids = openSqliteMis(database).match(query);
  expect(createMemoryMis(patients).match(query)).toEqual(ids);
  return ids;
}

proves(
  ['D26-unicode', 'D26-spaces', 'D26-case', 'D26-yo', 'D25-day-only', 'D27-leading-eight'],
  'a patient is found in every spelling of one key, and in no other',
  () => {
    for (const [typed, count] of [
      [{ surname: stored.surname.normalize('NFD') }, 1],
      [{ surname: 'NÚÑEZ-ØDEGÅRD', name: ' пётр \u00a0 ёЛКИН' }, 1],
      [{ name: 'Петр Елкин' }, 1],
      [{ date: '1979-12-31T23:59:59.999Z' }, 1],
      [{ phone: '8.999.000.00.05' }, 1],
      [{ surname: 'Nunez-Odegard' }, 0],
      [{ name: 'ПётрЁлкин' }, 0],
      [{ date: '1980-01-01 00:00:00.000' }, 0],
      [{ phone: '99990000005' }, 0],
    ] as const)
      expect([typed, foundBy(typed, [stored]).length]).toEqual([typed, count]);
  },
);

proves(['D39-look-alike-signs'], 'patients who differ in such a sign alone are twins', () => {
  const patients = ["O'Keefe", 'O\u2019Keefe', 'O-Keefe'].map((surname, at) => ({
    ...stored,
    id: `p-${at}`,
    surname,
  }));
  for (const surname of ["O'Keefe", 'O`Keefe'])
    expect(foundBy({ surname }, patients)).toEqual(['p-0', 'p-1']);
  expect(foundBy({ surname: 'O\u2010Keefe' }, patients)).toEqual(['p-2']);
});
