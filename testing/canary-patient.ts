/** A patient whose every property is unique in the tests, so that it can be found wherever it leaks. */
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';

export const canaryPatient: Patient = {
  ...personas.anna.patients[0],
  id: 'p-canary',
  surname: 'Känarienvogel-Žluťásek',
  name: 'Quetzalcoatlina',
  phones: ['48601777333'],
  gender: 2,
  birthdate: '1931-07-19T00:00:00.000Z',
  medcardNumber: 'CANARY-CARD-90210',
};

export const canaryProperties = propertiesOf(canaryPatient);

/** Values and names that must never reach the authorization server. The gender is searched by name. */
export const canaryValues: readonly string[] = [
  canaryPatient.surname,
  canaryPatient.name,
  '48601777333',
  '1931-07-19',
  '19.07.1931',
  '07/19/1931',
  'CANARY-CARD-90210',
  'patientProperties',
  '"gender"',
  '"surname"',
];
