/** The patients of a torture run, in a file that all processes read. They differ in surname, id and phone. */
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { anna } from '#mis-fixtures/personas/records.ts';
import { propertiesOf } from '#mis-fixtures/personas.ts';
import type { Patient, PatientProperties } from '#protocol/wire/fields.ts';

/** Creates the patient with this number. */
export function patientOf(number: number): Patient {
  return {
    ...anna,
    id: `torture-p-${number}`,
    surname: `Petrova-${number}`,
    phones: [`7901${String(number).padStart(7, '0')}`],
    photo: null,
    familyMembers: [],
    insurances: [],
    medcardNumber: null,
  };
}

/** Returns the properties that identify the patient, or that match no patient when it is undefined. */
export function identityOf(patient: Patient | undefined): PatientProperties {
  return patient ? propertiesOf(patient) : { ...propertiesOf(patientOf(0)), surname: 'Nobody' };
}

/** Writes the patients with the numbers from 0 to `count - 1`. */
export function writePatients(file: string, count: number): void {
  const db = openDatabase(file);
  prepareMisSchema(db);
  const insert = patientInserter(db);
  db.transaction(() => {
    for (let number = 0; number < count; number++) insert(patientOf(number));
  })();
  db.close();
}
