/** A population of invented patients, completely determined by a seed and a list of locales. */
import { MARITAL_STATUSES, type Patient } from '#protocol/wire/fields.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import { createDraw, type Draw, type Pattern } from './draw.ts';
import { type LocaleWords, wordsOf } from './locale.ts';
import { RELATIONS } from './personas/records.ts';
import { allPersonaPatients } from './personas.ts';

export type PopulationPlan = {
  /** Number of patients to invent, beside the personas. */
  patients: number;
  seed: number;
  /** Codes of faker locales. Each patient belongs to one of them. */
  locales: readonly string[];
};

/** The phones of the personas, normalised for comparison. */
const personaPhones = new Set(allPersonaPatients.flatMap(({ phones }) => phones.map(phoneKey)));

/**
 * Yields the personas' patients, then the invented ones. A smaller population is the beginning of a larger
 * one with the same seed and locales. No invented patient has the phone of a persona.
 * @throws {RangeError} when there are no locales, or one that faker does not offer with person names
 * @example [...population({ patients: 1000, seed: 7, locales: ['ru', 'en'] })]
 */
export function population(plan: PopulationPlan): Generator<Patient, void, undefined> {
  if (plan.locales.length === 0)
    throw new RangeError('Failed to make a population: no locale was given. Please name one, such as "en".');
  return invent(plan, plan.locales.map(wordsOf));
}

function* invent(plan: PopulationPlan, words: LocaleWords[]): Generator<Patient, void, undefined> {
  yield* allPersonaPatients;
  const draw = createDraw(plan.seed);
  for (let number = 1; number <= plan.patients; number++) yield inventPatient(number, draw, draw.pick(words));
}

const COMPANIES = [
  'Harbour Health',
  'Plains Mutual',
  'Northern Policy',
  'Mutua del Norte',
  'Rheinische Kasse',
];
const STATUSES = Object.values(MARITAL_STATUSES);
const FIRST_BIRTH_MS = Date.UTC(1930, 0, 1);
const DAY_MS = 86_400_000;
const BIRTHDATES = Array.from({ length: (Date.UTC(2025, 0, 1) - FIRST_BIRTH_MS) / DAY_MS }, (_, days) =>
  new Date(FIRST_BIRTH_MS + days * DAY_MS).toISOString(),
);

function inventPatient(number: number, draw: Draw, words: LocaleWords): Patient {
  const id = `p-${String(number).padStart(7, '0')}`;
  const sex = draw.below(2) as 0 | 1;
  const surname = draw.pick(words.lastNames[sex]);
  const active = !draw.chance(0.01);
  return {
    id,
    created: `${2010 + (number % 15)}-01-15T00:00:00.000Z`,
    active,
    isActive: active,
    surname,
    middleName: words.middleNames[sex].length > 0 ? draw.pick(words.middleNames[sex]) : null,
    name: draw.pick(words.firstNames[sex]),
    phones: draw.chance(0.1)
      ? [drawPhone(draw, words.phones), drawPhone(draw, words.phones)]
      : [drawPhone(draw, words.phones)],
    email: draw.chance(0.3) ? `${id}@example.org` : null,
    // Codes 2 and 3 are rare and independent of the name.
    gender: draw.chance(0.02) ? (draw.chance(0.5) ? 2 : 3) : sex,
    birthdate: draw.pick(BIRTHDATES),
    deceased: draw.chance(0.01),
    maritalStatus: draw.pick(STATUSES),
    photo: null,
    familyMembers: draw.chance(0.2) ? [inventRelative(`${id}-1`, surname, draw, words)] : [],
    address: `${draw.pick(words.cities)}, ${draw.pick(words.streets)} ${1 + draw.below(199)}`,
    medcardNumber: draw.chance(0.4) ? `${words.code.slice(0, 2).toUpperCase()}-${draw.digits(8)}` : null,
    insurances: draw.chance(0.4) ? [inventPolicy(draw)] : [],
  };
}

function inventRelative(patientId: string, surname: string, draw: Draw, words: LocaleWords) {
  const type = draw.below(RELATIONS.length);
  const name = draw.pick(words.firstNames[draw.below(2) as 0 | 1]);
  return { type, patientId, relation: RELATIONS[type], surname, name };
}

function inventPolicy(draw: Draw) {
  const company = draw.below(COMPANIES.length);
  const policyNumber = draw.digits(9);
  const lastYear = 2027 + draw.below(8);
  const period = { begin: `${lastYear - 10}-01-01T00:00:00.000Z`, end: `${lastYear}-12-31T00:00:00.000Z` };
  return { companyId: `c-${company}`, policyNumber, period, company: COMPANIES[company] };
}

/** Draws a phone of one of the patterns that no persona has. */
export function drawPhone(draw: Draw, patterns: readonly Pattern[]): string {
  for (;;) {
    const phone = draw.fill(draw.pick(patterns));
    if (!personaPhones.has(phoneKey(phone))) return phone;
  }
}
