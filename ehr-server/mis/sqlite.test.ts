import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type Patient, patient as patientSchema } from '#protocol/wire/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/wire/matching.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { patientInserter } from './insert.ts';
import { createMemoryMis } from './memory.ts';
import type { MatchQuery } from './mis.ts';
import { MIS_SCHEMA_VERSION, MIS_TABLES, prepareMisSchema } from './schema.ts';
import { openSqliteMis } from './sqlite.ts';

const patient = patientSchema.parse(ehrMethods['patient.get_patient'].example.result.patient);
const anna: Patient = {
  ...patient,
  ...{ id: 'p-anna', surname: 'Petrova', name: 'Anna', gender: 1, birthdate: '1985-04-12T00:00:00.000Z' },
  phones: ['79990000001', '+7 (812) 555-01-01'],
  medcardNumber: 'A-1001',
};

function misOf(...patients: Patient[]) {
  const database = openSqlite(':memory:');
  prepareMisSchema(database);
  const insert = patientInserter(database);
  for (const patient of patients) insert(patient);
  onTestFinished(() => void database.close());
  return openSqliteMis(database);
}

/** A full PHONE query as the server makes it from the typed values. */
function queryOf(surname: string, name: string, date: string, phone: string, gender?: number): MatchQuery {
  return {
    strategy: 'PHONE',
    surname: nameKey(surname),
    name: nameKey(name),
    day: dayKey(date),
    phone: phoneKey(phone),
    gender,
  };
}

const annasProperties = ['Petrova', 'Anna', '1985-04-12', '79990000001'] as const;
const byDay: MatchQuery = { strategy: 'PHONE', surname: 'petrova', name: 'anna', day: '1985-04-12' };
const byCard = (card: string, phone = '79990000001'): MatchQuery => ({ strategy: 'MEDCARD', card, phone });
const unlisted: Patient = { ...anna, phones: [] };
const twice: Patient = { ...anna, phones: ['79990000001', '8 999 000-00-01'] };
const annaAlone = ['p-anna'];

test.each<[string, Patient, MatchQuery, string[]]>([
  [
    'all properties fit',
    anna,
    queryOf('Petrova', 'Anna', '1985-04-12 00:00:00.000', '79990000001', 1),
    annaAlone,
  ],
  ['the surname differs', anna, queryOf('Petrov', 'Anna', '1985-04-12', '79990000001'), []],
  ['the name differs', anna, queryOf('Petrova', 'Ann', '1985-04-12', '79990000001'), []],
  ['the day differs', anna, queryOf('Petrova', 'Anna', '1985-04-13', '79990000001'), []],
  ['the phone differs', anna, queryOf('Petrova', 'Anna', '1985-04-12', '79990000009'), []],
  ['no phone is sent, and the patient has two', anna, byDay, annaAlone],
  ['one phone is stored in two ways', twice, queryOf(...annasProperties), annaAlone],
  ['no phone is stored, and the day fits', unlisted, byDay, annaAlone],
  ['names alone are sent', anna, { strategy: 'PHONE', surname: 'petrova', name: 'anna', gender: 1 }, []],
  ['no phone is stored, and one is sent with the card', unlisted, byCard('a-1001'), []],
])('a patient is found or not where %s', (_case, patient, query, ids) => {
  expect(misOf(patient).match(query)).toEqual(ids);
});

test('more than one fitting patient gives two ids and no more', () => {
  const three = ['p-1', 'p-2', 'p-3'].map((id) => ({ ...anna, id }));
  expect(misOf(...three).match(queryOf(...annasProperties))).toHaveLength(2);
});

test('inactive and deceased patients never match, and can still be read', () => {
  const [inactive, deceased] = [
    { ...anna, id: 'p-inactive', active: false },
    { ...anna, id: 'p-deceased', deceased: true },
  ];
  const mis = misOf(inactive, deceased);
  for (const query of [queryOf(...annasProperties), byCard('a-1001')]) expect(mis.match(query)).toEqual([]);
  expect([mis.get('p-inactive'), mis.get('p-deceased')]).toEqual([inactive, deceased]);
});

proves(['D23-gender-optional'], 'the stored gender must be the one sent; none sent restricts nothing', () => {
  const mis = misOf({ ...anna, gender: 3 });
  for (const gender of [undefined, 3])
    expect(mis.match(queryOf(...annasProperties, gender))).toEqual(annaAlone);
  expect(mis.match(queryOf(...annasProperties, 1))).toEqual([]);
});

proves(['D27-each-phone'], 'each phone of the record finds the patient', () => {
  const mis = misOf({ ...anna, phones: ['79990000001', '78125550101'] });
  for (const phone of ['79990000001', '78125550101', '8 812 555-01-01'])
    expect(mis.match(queryOf('Petrova', 'Anna', '1985-04-12', phone))).toEqual(annaAlone);
});

proves(['D28-medcard-strategy'], 'the card number and the phone decide, whatever the names are', () => {
  const mis = misOf(anna, { ...anna, id: 'p-other', medcardNumber: 'A-1002' });
  expect(mis.match(byCard(cardKey(' a-1001 ')))).toEqual(annaAlone);
  expect(mis.match(byCard(cardKey('A-1001'), '79990000009'))).toEqual([]);
  expect(mis.match(byCard(cardKey('A-1003')))).toEqual([]);
});

test('SQLite and memory answer every query alike', () => {
  // Each property has few values, so that queries hit, patients coincide and combinations repeat.
  const draft = fc.record({
    active: fc.boolean(),
    deceased: fc.boolean(),
    surname: fc.constantFrom('Алёшин', 'АЛЕШИН', 'Núñez'),
    name: fc.constantFrom('José', 'Jose\u0301', 'Maria'),
    phones: fc.array(fc.constantFrom('79990000001', '89990000001', '34600000006'), { maxLength: 2 }),
    gender: fc.constantFrom(0, 1, 3),
    birthdate: fc.constantFrom('1990-01-01', '2000-02-29'),
    medcardNumber: fc.constantFrom('B-1', 'b-1', null),
  });
  const maybe = <Value>(...values: Value[]) => fc.constantFrom(...values, undefined);
  const query = fc.oneof(
    fc.record({
      strategy: fc.constant('PHONE' as const),
      surname: maybe('алешин', 'núñez'),
      name: maybe('josé', 'maria'),
      day: maybe('1990-01-01', '2000-02-29'),
      phone: maybe('79990000001', '34600000006'),
      gender: maybe(0, 1, 3),
    }),
    fc.record({
      strategy: fc.constant('MEDCARD' as const),
      card: fc.constantFrom('b-1', 'b-2'),
      phone: fc.constantFrom('79990000001', '34600000006'),
    }),
  );
  fc.assert(
    fc.property(
      fc.array(draft, { maxLength: 4 }),
      fc.array(query, { minLength: 1, maxLength: 8 }),
      (drafts, queries) => {
        const patients = drafts.map((own, index) => ({ ...anna, ...own, id: `p-${index}` }) as Patient);
        const database = openSqlite(':memory:');
        try {
          prepareMisSchema(database);
          patients.forEach(patientInserter(database));
          const [mis, model] = [openSqliteMis(database), createMemoryMis(patients)];
          for (const one of queries) {
            const [found, expected] = [mis.match(one), model.match(one)];
            expect(found).toHaveLength(expected.length);
            // Any two of three matches may be returned; a single one must be the same.
            if (expected.length < 2) expect(found).toEqual(expected);
          }
        } finally {
          database.close();
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('a record whose birthdate is no day is not stored', () => {
  const mis = misOf();
  expect(mis.get('p-anna')).toBeUndefined();
  expect(() => misOf({ ...anna, birthdate: '1985-02-30' })).toThrow(
    'its birthdate is no day of the calendar',
  );
});

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

test('the tables are created when missing, and the check passes on an empty population', () => {
  const file = join(directory, 'mis.sqlite');
  const mis = openSqliteMis(file);
  mis.check();
  expect(mis.get('p-nobody')).toBeUndefined();
  mis.close();
  const database = openSqlite(file, { readonly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  database.close();
  expect(new Set(tables)).toEqual(new Set(MIS_TABLES));
});

test('a population is read on another connection, beside other tables', () => {
  const file = join(directory, 'shared.sqlite');
  const writer = openSqlite(file);
  writer.pragma('journal_mode = WAL');
  writer.exec("CREATE TABLE links (id); CREATE TABLE sessions (token); INSERT INTO sessions VALUES ('kept')");
  const mis = openSqliteMis(file);
  patientInserter(writer)(patient);
  expect(mis.get(patient.id)).toEqual(patient);
  mis.close();
  expect(writer.prepare('SELECT token FROM sessions').pluck().all()).toEqual(['kept']);
  writer.close();
});

test('closing the MIS leaves a connection open that was handed to it', () => {
  const database = openSqlite(join(directory, 'mis.sqlite'));
  openSqliteMis(database).close();
  expect(database.open).toBe(true);
  database.close();
});

test('a population of a newer program is refused and left as it is', () => {
  const file = join(directory, 'mis.sqlite');
  openSqliteMis(file).close();
  const database = openSqlite(file);
  database
    .prepare("UPDATE mis_meta SET value = ? WHERE name = 'schema_version'")
    .run(String(MIS_SCHEMA_VERSION + 1));
  database.close();
  expect(() => openSqliteMis(file)).toThrow(
    `its schema version is ${MIS_SCHEMA_VERSION + 1}, and this program knows version ${MIS_SCHEMA_VERSION}`,
  );
});

test('a directory that does not exist is refused with what to do', () => {
  expect(() => openSqliteMis(join(directory, 'nowhere', 'mis.sqlite'))).toThrow(
    'Please name a SQLite file in a directory that exists.',
  );
});
