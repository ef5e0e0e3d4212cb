/** Checks that nobody is found by properties that are nearly right, and none is named as wrong. */
import type { Reason } from '#protocol/wire/errors.ts';
import { visibleText } from '#protocol/wire/matching.ts';
import { type EhrFlow, flow } from '../../flow.ts';
import type { KnownPerson } from '../../settings.ts';
import { whatTells } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

type Properties = Record<string, unknown>;

type Change = (properties: Properties, person: KnownPerson) => Properties;

/** The key says what is changed, and is the label of the step. */
type Changes = Readonly<Record<string, Change>>;

/** Plays each change with a new user, because a server counts the failed matches of a user. */
export async function failEach(
  world: EhrWorld,
  changes: Changes,
  person: KnownPerson,
  reason?: Reason,
): Promise<void> {
  for (const [label, change] of Object.entries(changes)) {
    const typed = change(world.parts.dialect.properties(person), person);
    // searchStrategy and medCardId are members of params beside patientProperties (decision 30).
    const { searchStrategy, medCardId, ...properties } = typed;
    const params = {
      ...(searchStrategy !== undefined && { searchStrategy }),
      ...(medCardId !== undefined && { medCardId }),
    };
    const options = { properties, params, mistake: label };
    await world.refuses(world.signIn(label, { person, session: world.session() }, options), reason);
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

export const byCard = ({ medCardId }: Pick<KnownPerson, 'medCardId'>) => ({
  searchStrategy: 'MEDCARD',
  medCardId,
});

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
  'name and surname in one': (properties, { name, surname }) => {
    return { ...properties, surname: `${name} ${surname}` };
  },
};

const SWAPPED_NAMES: Changes = {
  'name and surname in the place of each other': (properties, { name, surname }) => {
    return { ...properties, name: surname, surname: name };
  },
};

/** Not the next digit, which a second phone of the same person may have. */
const otherDigit = (digit = '') => (Number(digit) + 5) % 10;

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

const DAYS: Changes = {
  'the day after': dated((date) => `${dayAfter(date)} 00:00:00.000`),
  'another year': dated((date) => `${1800 + Number(date.slice(2, 4))}${neverLeap(date)}`),
};

const swappedDay = (date: string) => date.replace(/-(..)-(..)$/, '-$2-$1');

const SWAPPED_DAY: Changes = {
  'day and month in the place of each other': dated((date) => `${swappedDay(date)} 00:00:00.000`),
};

/** `values` has, by the words that follow the name of a property in the label, what replaces the property. */
export const inEachProperty = (values: Readonly<Record<string, unknown>>): Changes =>
  Object.fromEntries(
    ['name', 'surname', 'date', 'phone'].flatMap((name) =>
      Object.entries(values).map(([words, value]) => [`${name} ${words}`, withValue(name, value)]),
    ),
  );

const EMPTY = inEachProperty({ empty: '', 'of blanks': '  ', null: null, 'of an empty list': [] });

const only =
  (...names: string[]) =>
  (properties: Properties) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));

const FEW: Changes = {
  'the phone alone': only('phone'),
  'phone and day alone': only('phone', 'date'),
  // A server may require the gender: it too tells nobody from others.
  'phone, day and gender alone': only('phone', 'date', 'gender'),
  'phone, day and gender, with empty names': (properties) => ({ ...properties, name: '', surname: '' }),
  'names alone': only('name', 'surname'),
  nothing: only(),
};

/** The names are nobody's: by the right ones a server that searches by no card finds the patient rightly. */
const cardChanged =
  (change: (card: string) => string): Change =>
  (properties, { medCardId = '' }) => {
    const nobody = { name: 'Nobodyatall', surname: 'Nobodyatall' };
    return { ...properties, ...nobody, ...byCard({ medCardId: change(medCardId) }) };
  };

const phoneBesideCard =
  (phone?: string): Change =>
  (properties, person) => ({ ...properties, ...byCard(person), phone });

/** All properties are sent: a server may require them beside the card. */
const CARDS: Changes = {
  'without the last digit of the card': cardChanged((card) => card.slice(0, -1)),
  'with a digit more': cardChanged((card) => `${card}0`),
  'without a phone': phoneBesideCard(),
  'with a pattern': cardChanged(() => '%'),
};

const inAnotherYear = (by: number) =>
  dated((day) => `${Number(day.slice(0, 4)) + by}${day.slice(4).replace('-02-29', '-02-28')} 00:00:00.000`);

const SEVERAL = 'properties that fit several';
const NAME = 'another name';
const OTHERS = ['another surname', 'another day', 'another phone', SEVERAL];
/** Failed matches with the phone of the patient: three of the four changes, twice. */
const WITH_THE_PHONE = 6;

/** In most of them the right properties succeed at last: without this control the refusals prove nothing. */
export const nearMissFlows: readonly EhrFlow[] = [
  flow('like-names-match-nobody', {
    title: 'A name that resembles the one of the record, by a letter or a part, matches nobody',
    requirements: ['4.3-patient-must-fit', 'K-few-properties-match-nobody'],
    explains: ['ambiguous-not-matched'],
    advice: 'Compare whole names, whatever is folded before: no prefix, no letters in another order.',
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, Object.keys(NAMES).length);
      await failEach(world, NAMES, person);
      await world.control(world.signIn('the name itself', { person }));
    },
  }),
  flow('names-in-their-places', {
    title: 'Name and surname in the place of each other match nobody',
    requirements: ['4.3-patient-must-fit'],
    advice: 'Compare the name with the name of the record, and the surname with its surname.',
    async play(world) {
      const differ = ({ name, surname }: KnownPerson) => name.toLowerCase() !== surname.toLowerCase();
      const person = await world.patient(differ, 'patient whose name is not the surname');
      await failEach(world, SWAPPED_NAMES, person, 'patient_not_matched');
      await world.control(world.signIn('in their places', { person }));
    },
  }),
  flow('like-phones-match-nobody', {
    title: 'A phone that agrees with the one of the record in a part of its digits matches nobody',
    requirements: ['4.3-patient-must-fit'],
    advice: 'Compare all digits of both phones; only a leading 8 of eleven digits equals 7.',
    async play(world) {
      const person = await world.patient();
      await failEach(world, PHONES, person);
      await world.control(world.signIn('the phone itself', { person }));
    },
  }),
  flow('like-days-match-nobody', {
    title: 'A day of birth that agrees with the one of the record in a part matches nobody',
    requirements: ['4.3-patient-must-fit'],
    advice: 'Compare year, month and day.',
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, Object.keys(DAYS).length);
      await failEach(world, DAYS, person, 'patient_not_matched');
      await world.control(world.signIn('the day itself', { person }));
    },
  }),
  flow('day-and-month-in-their-places', {
    title: 'A day of birth whose day and month stand in the place of each other matches nobody',
    requirements: ['4.3-patient-must-fit'],
    advice: 'Read the date as YYYY-MM-DD, and never guess its order.',
    async play(world) {
      const person = await world.patient(
        ({ date }) => Number(date.slice(8)) <= 12 && swappedDay(date) !== date,
        'patient born on one of the first twelve days of a month',
      );
      await failEach(world, SWAPPED_DAY, person, 'patient_not_matched');
      await world.control(world.signIn('the day itself', { person }));
    },
  }),
  flow('empty-properties-match-nobody', {
    title: 'A property that is empty, blank or null matches nobody',
    requirements: ['K-few-properties-match-nobody'],
    advice:
      'Refuse a search in which name, surname, date or phone is missing or empty, before the database is asked.',
    async play(world) {
      const person = await world.patient();
      await failEach(world, EMPTY, person);
      await world.control(world.signIn('all of them', { person }));
    },
  }),
  flow('few-properties-match-nobody', {
    title: 'A search by the phone alone, by phone and day, or by the names alone, matches nobody',
    requirements: ['K-few-properties-match-nobody'],
    advice:
      'Search only where what is sent tells one person from all others: the names, the day and the phone.',
    async play(world) {
      const person = await world.patient();
      await failEach(world, FEW, person);
      await world.control(world.signIn('all of them', { person }));
    },
  }),
  flow('like-cards-match-nobody', {
    title: 'A search by MEDCARD needs the whole card number and the phone',
    requirements: ['K-few-properties-match-nobody'],
    advice: 'Compare the whole card number, and the phone of the same patient.',
    async play(world) {
      const person = await cardHolder(world);
      world.needsAttempts(person, 3);
      await failEach(world, { ...CARDS, 'another phone': phoneBesideCard(world.strangersPhone()) }, person);
      const { result } = await world.signIn('all of them', { person }, { params: byCard(person) })();
      world.needs(result.kind === 'done', 'the server finds nobody by card and properties');
    },
  }),
  flow('mismatches-refused-alike', {
    title: 'The refusal of a match is the same whatever differs, or when several fit',
    requirements: ['K-mismatch-not-named'],
    judge({ all }) {
      const names = all(NAME);
      for (const label of OTHERS) {
        const others = all(label);
        const telling = whatTells(others, names);
        if (telling === undefined || others.length === 0) continue;
        const expected = `the same answer to "${NAME}" and "${label}"`;
        const actual = `answers that ${telling} tells apart`;
        return { expected, actual, shownBy: [...names, ...others] };
      }
      return undefined;
    },
    advice: 'Answer -34001 with one message, whatever differs: the user knows what was typed.',
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, WITH_THE_PHONE);
      // Each change has two values: what a refusal repeats of the call then differs, and tells nothing.
      for (const years of [-1, 1]) {
        const { name, surname, phone } = world.strangersProperties();
        const changes = {
          'another name': withValue('name', name),
          'another surname': withValue('surname', surname),
          'another day': inAnotherYear(years),
          'another phone': withValue('phone', phone),
        };
        await failEach(world, changes, person);
        const { ambiguous } = world.settings.people;
        if (ambiguous) await failEach(world, { [SEVERAL]: same }, ambiguous);
      }
    },
  }),
];
