import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { matchQuery } from '#ehr-server/match-patient.ts';
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import { patient as patientSchema } from '#protocol/wire/fields.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import { openSqlite } from '#service/sqlite.ts';
import { personaTable } from './cli.ts';
import { allPersonaPatients, personaList, personas, propertiesOf } from './personas.ts';

const database = openSqlite(':memory:');
prepareMisSchema(database);
allPersonaPatients.forEach(patientInserter(database));
const mis = openSqliteMis(database);
const REQUIRED_PROPERTIES = ['name', 'surname', 'date', 'phone'] as const;

/** Returns the ids that are found for the typed properties. */
const found = (typed: Parameters<typeof matchQuery>[0]['patientProperties']) =>
  mis.match(matchQuery({ patientProperties: typed }, [...REQUIRED_PROPERTIES]));

test('the personas are those that the documents name', () => {
  const rows = personaList.flatMap(({ name, patients }) =>
    patients.map((one) => [
      name,
      one.name,
      one.surname,
      one.birthdate.slice(0, 10),
      one.gender,
      one.phones[0],
      one.medcardNumber,
    ]),
  );
  expect(rows).toEqual([
    ['anna', 'Anna', 'Petrova', '1985-04-12', 1, '79990000001', 'A-1001'],
    ['twins', 'Ivan', 'Sidorov', '2000-02-29', 0, '79990000002', null],
    ['twins', 'Oleg', 'Sidorov', '2000-02-29', 0, '79990000002', null],
    ['namesakes', 'Maria', 'Ivanova', '1990-01-01', 1, '79990000004', null],
    ['namesakes', 'Maria', 'Ivanova', '1990-01-01', 1, '79990000004', null],
    ['alyoshin', 'Пётр', 'Алёшин', '1979-12-31', 0, '79990000005', null],
    [
      'nunez',
      'José'.normalize('NFC'),
      'Núñez-Ødegård'.normalize('NFC'),
      '1968-07-03',
      0,
      '34600000006',
      null,
    ],
    ['rufus', 'Rufus', 'Shields', '1945-08-15', 0, '8065931458', '123456'],
    ['orphan', 'Elena', 'Fomina', '1972-09-09', 1, '79990000007', null],
    ['boris', 'Борис', 'Орлов', '1991-07-20', 0, '79990000008', 'B-2002'],
  ]);
});

test('every record keeps the shape of the wire, and no two share an id', () => {
  for (const patient of allPersonaPatients) expect(patientSchema.parse(patient)).toEqual(patient);
  expect(new Set(allPersonaPatients.map(({ id }) => id)).size).toBe(allPersonaPatients.length);
});

test('what a persona types finds its patient, and never a namesake', () => {
  for (const persona of personaList.filter(({ name }) => name !== 'namesakes'))
    for (const [which, patient] of persona.patients.entries()) {
      expect(found(propertiesOf(persona, which)), persona.name).toEqual([patient.id]);
      expect(found(propertiesOf(patient)), persona.name).toEqual([patient.id]);
    }
  expect(found(propertiesOf(personas.namesakes))).toHaveLength(2);
});

test('a persona signs in with its phone; only the orphan has no entry', () => {
  for (const persona of personaList) expect(phoneKey(persona.typed[0].phone)).toBe(phoneKey(persona.signIn));
  expect(
    personaList.filter(({ hasCorrespondenceEntry }) => !hasCorrespondenceEntry).map(({ name }) => name),
  ).toEqual(['orphan']);
});

test('nunez types decomposed letters for a composed record', () => {
  const typed = propertiesOf(personas.nunez);
  const [stored] = personas.nunez.patients;
  expect(stored.surname).toBe(stored.surname.normalize('NFC'));
  expect(typed.surname).not.toBe(stored.surname);
  expect(typed.surname.normalize('NFC')).toBe(stored.surname);
});

test('the date is typed in the form of the interface', () => {
  expect(propertiesOf(personas.anna)).toEqual({
    name: 'Anna',
    surname: 'Petrova',
    date: '1985-04-12 00:00:00.000',
    gender: 1,
    phone: '79990000001',
  });
});

test('asking for a person whom a persona does not have is refused', () => {
  expect(() => propertiesOf(personas.twins, 2)).toThrow(
    'The persona twins has 2 to type; number 2 is asked for, counted from 0.',
  );
});

test('the table names every persona with what to type, in columns', () => {
  const lines = personaTable().normalize('NFC').split('\n');
  const heading = lines.find((line) => line.startsWith('PERSONA')) ?? '';
  const column = heading.indexOf('PHONE');
  for (const { name, typed } of personaList) {
    expect(lines.some((line) => line.startsWith(name))).toBe(true);
    for (const person of typed) {
      const row = lines.find(
        (line) => line.includes(person.name.normalize('NFC')) && line.includes(person.phone),
      );
      expect(row?.slice(column, column + person.phone.length)).toBe(person.phone);
    }
  }
  for (const line of lines.slice(0, lines.indexOf('', 2))) expect([...line].length).toBeLessThanOrEqual(80);
});

test('the personas run in a browser: their modules import nothing but each other', () => {
  for (const file of ['personas.ts', 'personas/records.ts']) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    const modules = [...text.matchAll(/^import (?!type )[^;]*from '([^']+)'/gm)].map(([, module]) => module);
    for (const module of modules) expect(module).toBe('./personas/records.ts');
  }
});
