/** Checks that nobody is found by properties that are nearly right, and none is named as wrong. */
import { visibleText } from '#protocol/wire/matching.ts';
import { check, type EhrCheck, type EhrExpectation, labelled, refused } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { type AuthInfo, whatTells } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

export type Properties = Record<string, unknown>;

type Change = (properties: Properties, person: KnownPerson) => Properties;

/** The key says what is changed, and is the label of the step. */
export type Changes<L extends string = string> = Readonly<Record<L, Change>>;

type Attempts<L extends string> = {
  expect: Record<L, EhrExpectation>;
  play: (world: EhrWorld<L>) => Promise<void>;
};

type Choice<L extends string> = (world: EhrWorld<L>) => Promise<KnownPerson> | KnownPerson;

export const eachRefused = <L extends string>(
  expected: EhrExpectation,
  changes: Changes<L>,
  whom: Choice<L> = (world) => world.patient(),
): Attempts<L> => ({
  expect: labelled(changes, expected),
  play: async (world) => failEach(world, changes, await whom(world)),
});

/**
 * At last the `right` ones, the unchanged properties, must succeed: without this control the refusals prove
 * nothing.
 */
const eachMisses = <L extends string, C extends string>(
  expected: EhrExpectation,
  found: C,
  changes: Changes<L>,
  whom: Choice<L | C> = (world) => world.patient(),
  right: Change = same,
) => ({
  control: [found],
  expect: labelled(changes, expected),
  async play(world: EhrWorld<L | C>) {
    const person = await whom(world);
    await failEach(world, changes, person);
    await tryEach(world, { [found]: right }, person);
  },
});

/** Plays all changes with one user. For changes that must succeed. */
export function tryEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  const { user } = world.sessionFor(person);
  return attemptEach(world, changes, person, { next: () => world.session(user), isMistake: false });
}

/** Plays each change with a new user, because a server counts the failed matches of a user. */
export function failEach(world: EhrWorld, changes: Changes, person: KnownPerson): Promise<void> {
  return attemptEach(world, changes, person, { next: () => world.session(), isMistake: true });
}

type Attempting = { next: () => AuthInfo; isMistake: boolean };

async function attemptEach(
  world: EhrWorld,
  changes: Changes,
  person: KnownPerson,
  { next, isMistake }: Attempting,
): Promise<void> {
  for (const [label, change] of Object.entries(changes)) {
    // searchStrategy and medCardId are members of params beside patientProperties (decision 30).
    const { searchStrategy, medCardId, ...properties } = change(
      world.parts.dialect.properties(person),
      person,
    );
    const params = {
      ...(searchStrategy !== undefined && { searchStrategy }),
      ...(medCardId !== undefined && { medCardId }),
    };
    const mistake = isMistake ? { mistake: label } : {};
    await world.signIn(label, { person, session: next() }, { properties, params, ...mistake });
  }
}

export const same: Change = (properties) => properties;

export const withValue =
  (name: string, value: unknown): Change =>
  (properties) => ({ ...properties, [name]: value });

export const changed =
  (name: string, change: (text: string) => string): Change =>
  (properties) => ({ ...properties, [name]: change(String(properties[name])) });

const dated =
  (write: (day: string) => string): Change =>
  (properties, { date }) => ({ ...properties, date: write(date) });

export const cardHolder = (world: EhrWorld) =>
  world.patient(({ medCardId }) => medCardId !== undefined, 'patient with a medCardId');

/** A server may ignore invisible characters: a change there is no miss. */
const changedAsSeen = (member: 'name' | 'surname', change: (text: string) => string) =>
  changed(member, (text) => change(visibleText(text)));

const swapped = (text: string) => text.slice(0, -2) + [...text.slice(-2)].reverse().join('');
const misspelt = (text: string) => (swapped(text) === text ? text.slice(0, -1) : swapped(text));

/** Changes of names. They are few, because each is a failed match, and an hour allows few for one phone. */
export const NAMES: Changes = {
  'the first letter of the name': changedAsSeen('name', (name) => name.slice(0, 1)),
  'the name without its last letter': changedAsSeen('name', (name) => name.slice(0, -1)),
  'the surname without its last letter': changedAsSeen('surname', (surname) => surname.slice(0, -1)),
  'the surname with a letter more': changed('surname', (surname) => `${surname}x`),
  'the surname with two letters in another order': changedAsSeen('surname', misspelt),
  'name and surname in one': (properties, { name, surname }) => ({
    ...properties,
    surname: `${name} ${surname}`,
  }),
};

const namesSwapped = (properties: Properties, { name, surname }: KnownPerson) => ({
  ...properties,
  name: surname,
  surname: name,
});

const otherDigit = (digit = '') => (digit === '3' ? '4' : '3');

const inDigits = (change: (digits: string) => string) =>
  changed('phone', (phone) => change(phone.replace(/\D/g, '')));

const PHONES: Changes = {
  'other first digits': inDigits((phone) => '3'.repeat(phone.length - 7) + phone.slice(-7)),
  'another last digit': inDigits((phone) => phone.slice(0, -1) + otherDigit(phone.at(-1))),
  'without its last digit': inDigits((phone) => phone.slice(0, -1)),
  'a digit more': inDigits((phone) => `${phone}0`),
};

const DAY_MS = 86_400_000;
const dayAfter = (date: string) => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

const neverLeap = (date: string) => (date.endsWith('-02-29') ? '-02-28' : date.slice(4));

const DAYS = {
  'the day after': dated((date) => `${dayAfter(date)} 00:00:00.000`),
  'another year': dated((date) => `${1800 + Number(date.slice(2, 4))}${neverLeap(date)}`),
};

const EMPTY: Changes = Object.fromEntries(
  ['name', 'surname', 'date', 'phone'].flatMap((name) =>
    [
      ['empty', ''],
      ['of blanks', '  '],
      ['null', null],
      ['of an empty list', []],
    ].map(([what, value]) => [`${name} ${what}`, withValue(String(name), value)]),
  ),
);

const only =
  (...names: string[]) =>
  (properties: Properties) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));

const emptyNames = (properties: Properties) => ({ ...properties, name: '', surname: '' });

const swappedDay = (date: string) => date.replace(/-(..)-(..)$/, '-$2-$1');

async function patientFor(world: EhrWorld, changes: Changes): Promise<KnownPerson> {
  const person = await world.patient();
  world.needsAttempts(person, Object.keys(changes).length);
  return person;
}

const byCard =
  (change = (card: string) => card): Change =>
  (_properties, { phone, medCardId = '' }) => ({
    phone,
    searchStrategy: 'MEDCARD',
    medCardId: change(medCardId),
  });

const CARDS = {
  'without the last digit of the card': byCard((card) => card.slice(0, -1)),
  'with a digit more': byCard((card) => `${card}0`),
  'without a phone': ((_properties, { medCardId }) => ({ searchStrategy: 'MEDCARD', medCardId })) as Change,
  'with a pattern': byCard(() => '%'),
};

async function holderFor(world: EhrWorld): Promise<KnownPerson> {
  const person = await cardHolder(world);
  world.needsAttempts(person, 3);
  return person;
}

export const nearMissChecks: readonly EhrCheck[] = [
  check({
    id: 'like-names-match-nobody',
    title: 'A name that resembles the one of the record, by a letter or a part, matches nobody',
    requirements: ['4.3-patient-must-fit', 'K-few-properties-match-nobody'],
    ...eachMisses(refused(), 'the name itself', NAMES, (world) => patientFor(world, NAMES)),
    explains: ['ambiguous-not-matched'],
    advice: 'Compare whole names, whatever is folded before: no prefix, no letters in another order.',
  }),
  check({
    id: 'names-in-their-places',
    title: 'Name and surname in the place of each other match nobody',
    requirements: ['4.3-patient-must-fit'],
    ...eachMisses(
      refused('patient_not_matched'),
      'in their places',
      { 'name and surname in the place of each other': namesSwapped },
      (world) =>
        world.patient(
          ({ name, surname }) => name.toLowerCase() !== surname.toLowerCase(),
          'patient whose name is not the surname',
        ),
    ),
    advice: 'Compare the name with the name of the record, and the surname with its surname.',
  }),
  check({
    id: 'like-phones-match-nobody',
    title: 'A phone that agrees with the one of the record in a part of its digits matches nobody',
    requirements: ['4.3-patient-must-fit'],
    ...eachMisses(refused(), 'the phone itself', PHONES),
    advice: 'Compare all digits of both phones; only a leading 8 of eleven digits equals 7.',
  }),
  check({
    id: 'like-days-match-nobody',
    title: 'A day of birth that agrees with the one of the record in a part matches nobody',
    requirements: ['4.3-patient-must-fit'],
    ...eachMisses(refused('patient_not_matched'), 'the day itself', DAYS, (world) => patientFor(world, DAYS)),
    advice: 'Compare year, month and day.',
  }),
  check({
    id: 'day-and-month-in-their-places',
    title: 'A day of birth whose day and month stand in the place of each other matches nobody',
    requirements: ['4.3-patient-must-fit'],
    ...eachMisses(
      refused('patient_not_matched'),
      'the day itself',
      { 'day and month in the place of each other': dated((date) => `${swappedDay(date)} 00:00:00.000`) },
      (world) =>
        world.patient(
          ({ date }) => Number(date.slice(8)) <= 12 && swappedDay(date) !== date,
          'patient born on one of the first twelve days of a month',
        ),
    ),
    advice: 'Read the date as YYYY-MM-DD, and never guess its order.',
  }),
  check({
    id: 'empty-properties-match-nobody',
    title: 'A property that is empty, blank or null matches nobody',
    requirements: ['K-few-properties-match-nobody'],
    ...eachMisses(refused(), 'all of them', EMPTY),
    advice:
      'Refuse a search in which name, surname, date or phone is missing or empty, before the database is asked.',
  }),
  check({
    id: 'few-properties-match-nobody',
    title: 'A search by the phone alone, by phone and day, or by the names alone, matches nobody',
    requirements: ['K-few-properties-match-nobody'],
    ...eachMisses(refused(), 'all of them', {
      'the phone alone': only('phone'),
      'phone and day alone': only('phone', 'date'),
      // A server may require the gender: it too tells nobody from others.
      'phone, day and gender alone': only('phone', 'date', 'gender'),
      'phone, day and gender, with empty names': emptyNames,
      'names alone': only('name', 'surname'),
      nothing: only(),
    }),
    advice:
      'Search only where what is sent tells one person from all others: the names, the day and the phone.',
  }),
  check({
    id: 'like-cards-match-nobody',
    title: 'A search by MEDCARD needs the whole card number and the phone',
    requirements: ['K-few-properties-match-nobody'],
    ...eachMisses(refused(), 'card and phone', CARDS, holderFor, byCard()),
    advice: 'Compare the whole card number, and the phone of the same patient.',
  }),
];

const inAnotherYear = (by: number) =>
  dated((day) => `${Number(day.slice(0, 4)) + by}${day.slice(4).replace('-02-29', '-02-28')} 00:00:00.000`);

const LABELS = ['another name', 'another surname', 'another day', 'another phone'] as const;
const [NAME, ...OTHERS] = LABELS;
const WITH_THE_PHONE = 6;

export const mismatchChecks: readonly EhrCheck[] = [
  check({
    id: 'mismatches-refused-alike',
    title: 'The refusal of a match is the same whichever property differs',
    requirements: ['K-mismatch-not-named'],
    expect: labelled(LABELS, refused()),
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, WITH_THE_PHONE);
      // Each change has two values: what a refusal repeats of the call then differs, and tells nothing.
      for (const years of [-1, 1]) {
        const { name, surname, phone } = world.strangersProperties();
        const changes: Changes<(typeof LABELS)[number]> = {
          'another name': withValue('name', name),
          'another surname': withValue('surname', surname),
          'another day': inAnotherYear(years),
          'another phone': withValue('phone', phone),
        };
        await failEach(world, changes, person);
      }
    },
    judge({ all }) {
      const names = all(NAME);
      for (const label of OTHERS) {
        const others = all(label);
        const telling = whatTells(others, names);
        if (telling === undefined) continue;
        const actual = `answers that ${telling} tells apart`;
        return {
          expected: `the same answer to "${NAME}" and "${label}"`,
          actual,
          shownBy: [...names, ...others],
        };
      }
      return undefined;
    },
    advice: 'Answer -34001 with one message, whatever differs: the user knows what was typed.',
  }),
];
