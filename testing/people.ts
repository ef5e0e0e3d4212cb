/** The properties of the personas as their clients send them, for tests that send messages themselves. */
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';

export const anna = propertiesOf(personas.anna);
export const ivan = propertiesOf(personas.twins, 0);
export const oleg = propertiesOf(personas.twins, 1);
export const boris = propertiesOf(personas.boris);
export const maria = propertiesOf(personas.namesakes);
export const alyoshin = propertiesOf(personas.alyoshin);
export const rufus = propertiesOf(personas.rufus);
export const rufusCard = '123456';

/** A patient whose every property is unique in the tests, so that it can be found wherever it leaks. */
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
