import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchQuery } from '#ehr-server/match-patient.ts';
import { patientInserter } from '#ehr-server/mis/insert.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { canMatch } from '#ehr-server/mis/mis.ts';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import { patient as patientSchema } from '#protocol/wire/fields.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { createDraw, readPattern } from './draw.ts';
import { localeCodes, wordsOf } from './locale.ts';
import { allPersonaPatients, propertiesOf } from './personas.ts';
import { drawPhone, population } from './population.ts';

const invented = (patients: number, seed: number, locales: string[]) =>
  [...population({ patients, seed, locales })].slice(allPersonaPatients.length);

test('the personas come first', () =>
  expect([...population({ patients: 3, seed: 1, locales: ['en'] })].slice(0, -3)).toEqual(
    allPersonaPatients,
  ));

test('the same plan gives the same patients, in turns too; another seed gives others', () => {
  const plan = { patients: 50, seed: 11, locales: ['ru', 'de'] };
  const alone = [...population(plan)];
  const [one, other] = [population(plan), population({ ...plan, seed: 12 })];
  const interleaved = alone.map(() => {
    other.next();
    return one.next().value;
  });
  expect(interleaved).toEqual(alone);
  expect([...population({ ...plan, seed: 12 })]).not.toEqual(alone);
});

test('a larger population begins with the smaller one', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), fc.nat(30), fc.nat(30), (seed, few, more) => {
      expect(invented(few + more, seed, ['ru', 'en']).slice(0, few)).toEqual(
        invented(few, seed, ['ru', 'en']),
      );
    }),
    { numRuns: 25 },
  );
});

test('every locale gives patients in the shape of the wire', () => {
  expect(localeCodes.length).toBeGreaterThan(50);
  for (const code of localeCodes)
    for (const patient of invented(40, 3, [code])) {
      expect(patientSchema.parse(patient), code).toEqual(patient);
      expect(patient.phones.map(phoneKey), code).not.toContain(undefined);
    }
});

test('a Russian surname follows the sex of the given name', () => {
  const { firstNames, lastNames, middleNames } = wordsOf('ru');
  for (const patient of invented(200, 5, ['ru']).filter(({ gender }) => gender < 2)) {
    const sex = patient.gender as 0 | 1;
    expect(firstNames[sex]).toContain(patient.name);
    expect(lastNames[sex]).toContain(patient.surname);
    expect(middleNames[sex]).toContain(patient.middleName);
  }
});

test('all locales of the list are drawn from', () => {
  const patients = invented(200, 5, ['ru', 'ja']);
  expect(patients.some(({ surname }) => /\p{Script=Cyrillic}/u.test(surname))).toBe(true);
  expect(patients.some(({ surname }) => /\p{Script=Han}/u.test(surname))).toBe(true);
});

test('no invented patient has the phone of a persona', () => {
  const draw = createDraw(1);
  const drawn = Array.from({ length: 200 }, () =>
    drawPhone(draw, [readPattern('7999000000#'), readPattern('8999000000#')]),
  );
  expect(new Set(drawn.map((phone) => phone.at(-1)))).toEqual(new Set(['0', '3', '6', '9']));
});

test('each active, living patient is found by their record, and no other', () => {
  const database = openSqlite(':memory:');
  prepareMisSchema(database);
  const insert = patientInserter(database);
  const patients = invented(2_000, 7, ['ru', 'en', 'de']);
  for (const patient of patients) insert(patient);
  const mis = openSqliteMis(database);
  for (const patient of patients) {
    const expected = patient.active && !patient.deceased ? [patient.id] : [];
    expect(mis.match(matchQuery({ patientProperties: propertiesOf(patient) }, []))).toEqual(expected);
  }
  expect(patients.some(({ active }) => !active)).toBe(true);
  expect(patients.some(({ deceased }) => deceased)).toBe(true);
  database.close();
});

proves(['D39-look-alike-signs'], 'an invented patient with an apostrophe is found as phones type it', () => {
  const patients = invented(3_000, 7, ['en']);
  const mis = createMemoryMis(patients);
  const matching = patients.filter(
    (patient) => /['-]/.test(patient.name + patient.surname) && canMatch(patient),
  );
  expect(matching.length).toBeGreaterThan(20);
  const typed = (text: string) => text.replaceAll("'", '\u2019').replaceAll('-', '\u2011');
  for (const patient of matching) {
    const { name, surname, ...more } = propertiesOf(patient);
    const patientProperties = { ...more, name: typed(String(name)), surname: typed(String(surname)) };
    expect(mis.match(matchQuery({ patientProperties }, []))).toEqual([patient.id]);
  }
});

test('a locale that faker does not offer is refused with those it offers', () => {
  expect(() => population({ patients: 1, seed: 1, locales: ['ru', 'tlh'] })).toThrow(
    /Failed to find the locale "tlh"\. Please choose .*\bru\b/,
  );
  expect(() => population({ patients: 1, seed: 1, locales: ['__proto__'] })).toThrow(
    'Failed to find the locale "__proto__"',
  );
  expect(() => population({ patients: 1, seed: 1, locales: [] })).toThrow('no locale was given');
});

test('a pattern is filled digit by digit', () => {
  const draw = createDraw(1);
  for (let round = 0; round < 200; round++)
    expect(draw.fill(readPattern('7 (!##) ####'))).toMatch(/^7 \([2-9]\d\d\) \d{4}$/);
  expect(draw.digits(15)).toMatch(/^\d{15}$/);
});

test('drawing from nothing is refused', () =>
  expect(() => createDraw(1).pick([])).toThrow('there is nothing to draw from'));
