import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Patient } from '#protocol/wire/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/wire/matching.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { patientInserter } from './insert.ts';
import { createMemoryMis } from './memory.ts';
import type { MatchQuery } from './mis.ts';
import { prepareMisSchema } from './schema.ts';
import { openSqliteMis, sqliteMatchSql } from './sqlite.ts';

const anna: Patient = {
  id: 'p-anna',
  created: '2024-03-01T00:00:00.000Z',
  active: true,
  isActive: true,
  surname: 'Petrova',
  middleName: null,
  name: 'Anna',
  phones: ['79990000001', '+7 (812) 555-01-01'],
  email: null,
  gender: 1,
  birthdate: '1985-04-12T00:00:00.000Z',
  deceased: false,
  maritalStatus: 5,
  photo: null,
  familyMembers: [],
  address: null,
  medcardNumber: 'A-1001',
  insurances: [],
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
function typed(surname: string, name: string, date: string, phone: string, gender?: number): MatchQuery {
  return {
    strategy: 'PHONE',
    surname: nameKey(surname),
    name: nameKey(name),
    day: dayKey(date),
    phone: phoneKey(phone),
    gender,
  };
}

describe('matching', () => {
  test('the patient whose properties all fit is matched', () => {
    expect(misOf(anna).match(typed('Petrova', 'Anna', '1985-04-12 00:00:00.000', '79990000001', 1))).toEqual([
      'p-anna',
    ]);
  });

  test('one property that differs matches nobody', () => {
    const mis = misOf(anna);
    expect(mis.match(typed('Petrov', 'Anna', '1985-04-12', '79990000001'))).toEqual([]);
    expect(mis.match(typed('Petrova', 'Ann', '1985-04-12', '79990000001'))).toEqual([]);
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-13', '79990000001'))).toEqual([]);
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '79990000009'))).toEqual([]);
  });

  test('any phone of a patient fits', () => {
    const mis = misOf(anna);
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '88125550101'))).toEqual(['p-anna']);
  });

  test('a patient with two phones is one patient where no phone is sent', () => {
    expect(misOf(anna).match({ strategy: 'PHONE', surname: 'petrova', name: 'anna', day: '1985-04-12' })).toEqual([
      'p-anna',
    ]);
  });

  test('one phone written in two ways is stored once', () => {
    const mis = misOf({ ...anna, phones: ['79990000001', '8 999 000-00-01'] });
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '79990000001'))).toEqual(['p-anna']);
  });

  test('a patient without a phone is found by the day', () => {
    const mis = misOf({ ...anna, phones: [] });
    expect(mis.match({ strategy: 'PHONE', surname: 'petrova', name: 'anna', day: '1985-04-12' })).toEqual(['p-anna']);
  });

  test('more than one fitting patient gives two ids and no more', () => {
    const three = ['p-1', 'p-2', 'p-3'].map((id) => ({ ...anna, id }));
    expect(misOf(...three).match(typed('Petrova', 'Anna', '1985-04-12', '79990000001'))).toHaveLength(2);
  });

  test('inactive and deceased patients never match, and can still be read', () => {
    const inactive = { ...anna, id: 'p-inactive', active: false };
    const deceased = { ...anna, id: 'p-deceased', deceased: true };
    const mis = misOf(inactive, deceased);
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '79990000001'))).toEqual([]);
    expect(mis.match({ strategy: 'MEDCARD', card: 'a-1001', phone: '79990000001' })).toEqual([]);
    expect(mis.get('p-inactive')).toEqual(inactive);
    expect(mis.get('p-deceased')).toEqual(deceased);
  });

  test('names alone match nobody', () =>
    expect(misOf(anna).match({ strategy: 'PHONE', surname: 'petrova', name: 'anna', gender: 1 })).toEqual([]));

  test('an empty phone does not find the patients without one', () => {
    expect(phoneKey('')).toBeUndefined();
    const mis = misOf({ ...anna, phones: [] });
    expect(mis.match({ strategy: 'MEDCARD', card: 'a-1001', phone: '79990000001' })).toEqual([]);
  });

  proves(['D23-gender-optional'], 'the stored gender must equal the one sent, and none sent restricts nothing', () => {
    const mis = misOf({ ...anna, gender: 3 });
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '79990000001'))).toEqual(['p-anna']);
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '79990000001', 3))).toEqual(['p-anna']);
    expect(mis.match(typed('Petrova', 'Anna', '1985-04-12', '79990000001', 1))).toEqual([]);
  });

  proves(['D28-medcard-strategy'], 'the card number and the phone decide, whatever the names are', () => {
    const mis = misOf(anna, { ...anna, id: 'p-other', medcardNumber: 'A-1002' });
    expect(mis.match({ strategy: 'MEDCARD', card: cardKey(' a-1001 '), phone: '79990000001' })).toEqual(['p-anna']);
    expect(mis.match({ strategy: 'MEDCARD', card: cardKey('A-1001'), phone: '79990000009' })).toEqual([]);
    expect(mis.match({ strategy: 'MEDCARD', card: cardKey('A-1003'), phone: '79990000001' })).toEqual([]);
  });

  test('SQLite and memory answer every query alike', () => {
    // Each property has few values, so that queries hit, patients coincide and combinations repeat.
    const patient = fc.record({
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
        fc.array(patient, { maxLength: 4 }),
        fc.array(query, { minLength: 1, maxLength: 8 }),
        (drafts, queries) => {
          const patients = drafts.map((draft, index) => ({ ...anna, ...draft, id: `p-${index}` }) as Patient);
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
});

test('no query with a phone or a day reads a whole table', () => {
  const database = openSqlite(':memory:');
  onTestFinished(() => void database.close());
  prepareMisSchema(database);
  const full = { surname: 'a', name: 'b', day: '2000-01-01', phone: '79990000001', gender: 0 };
  const members = Object.keys(full) as (keyof typeof full)[];
  for (let bits = 0; bits < 1 << members.length; bits++) {
    const chosen = members.filter((_, index) => bits & (1 << index));
    const query = {
      strategy: 'PHONE',
      ...Object.fromEntries(chosen.map((member) => [member, full[member]])),
    } as MatchQuery;
    const sql = sqliteMatchSql(query);
    expect(sql !== undefined).toBe(chosen.includes('day') || chosen.includes('phone'));
    if (sql !== undefined) expectSearch(planOf(sql, query), chosen);
  }
  const card: MatchQuery = { strategy: 'MEDCARD', card: 'a', phone: '79990000001' };
  expectSearch(planOf(sqliteMatchSql(card) as string, card), ['card', 'phone']);

  function planOf(sql: string, query: MatchQuery): string[] {
    const rows = database.prepare<[MatchQuery], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(query);
    return rows.map((row) => row.detail).filter((detail) => !detail.startsWith('USE TEMP B-TREE FOR DISTINCT'));
  }
});

function expectSearch(plan: string[], chosen: string[]): void {
  expect(plan).toHaveLength(1);
  expect(plan[0]).toMatch(/^SEARCH patient_(match|card) USING (PRIMARY KEY|COVERING INDEX patient_match_phone) /);
  // The search begins with the phone or the day. A full match binds all four leading columns.
  const bound = (plan[0]?.match(/=\?/g) ?? []).length;
  expect(bound).toBeGreaterThanOrEqual(chosen.includes('phone') && chosen.includes('day') ? 2 : 1);
  if (['surname', 'name', 'day', 'phone'].every((member) => chosen.includes(member)))
    expect(bound).toBeGreaterThanOrEqual(4);
}

test('a record whose birthdate is no day is not stored', () => {
  const mis = misOf();
  expect(mis.get('p-anna')).toBeUndefined();
  expect(() => misOf({ ...anna, birthdate: '1985-02-30' })).toThrow('its birthdate is no day of the calendar');
});
