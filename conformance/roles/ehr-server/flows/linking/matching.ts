/** How properties are compared: forms of dates, names and phones (decisions 25 to 31). */
import { check, done, type EhrCheck, labelled, refused } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { propertiesOf } from '../../world/patients.ts';
import { type Changes, changed, failEach, type Properties, tryEach, withValue } from './attempts.ts';

const DATES: Changes = {
  'in full': (properties) => properties,
  'without the fraction': changed('date', (date) => date.slice(0, 19)),
  'as ISO 8601': (_properties, { date }) => ({ ..._properties, date: `${date}T00:00:00.000Z` }),
  'with Z and a space': (_properties, { date }) => ({ ..._properties, date: `${date} 00:00:00Z` }),
  'the day alone': (_properties, { date }) => ({ ..._properties, date }),
};

const TIMES_OF_DAY: Changes = {
  'the last moment of the day': (properties, { date }) => ({ ...properties, date: `${date} 23:59:59.999` }),
  'the last moment, with Z': (properties, { date }) => ({ ...properties, date: `${date}T23:59:59.999Z` }),
  'midnight, with Z': (properties, { date }) => ({ ...properties, date: `${date}T00:00:00.000Z` }),
};

const CASES: Changes = {
  'in capitals': (properties, { name, surname }) => ({
    ...properties,
    name: name.toUpperCase(),
    surname: surname.toUpperCase(),
  }),
  'in small letters': (properties, { name, surname }) => ({
    ...properties,
    name: name.toLowerCase(),
    surname: surname.toLowerCase(),
  }),
};

const SPACES: Changes = {
  'spaces around': (properties, { name, surname }) => ({
    ...properties,
    name: `  ${name} `,
    surname: ` ${surname}  `,
  }),
  // The same where no name has a space inside.
  'wider spaces inside': (properties, { name, surname }) => ({
    ...properties,
    name: name.replaceAll(' ', '  '),
    surname: surname.replaceAll(' ', '   '),
  }),
};

const PHONES: Changes = {
  'with a plus': changed('phone', (phone) => `+${phone}`),
  'with spaces and brackets': changed(
    'phone',
    (phone) => `+${phone[0]} (${phone.slice(1, 4)}) ${phone.slice(4)}`,
  ),
  'with hyphens': changed('phone', (phone) => `${phone.slice(0, 4)}-${phone.slice(4, 7)}-${phone.slice(7)}`),
  'with dots': changed('phone', (phone) => `${phone.slice(0, 4)}.${phone.slice(4, 7)}.${phone.slice(7)}`),
};

const EXTENSIONS: Changes = {
  'with x': changed('phone', (phone) => `${phone} x29688`),
  'with ext.': changed('phone', (phone) => `${phone} ext. 12`),
};

const EMPTY: Changes = {
  'empty strategy': withValue('searchStrategy', ''),
  'strategy null': withValue('searchStrategy', null),
  'empty card': withValue('medCardId', ''),
  'card null': withValue('medCardId', null),
  'gender null': withValue('gender', null),
  'empty middle name and e-mail': (properties) => ({ ...properties, middleName: '', email: '' }),
};

export const matchingChecks: readonly EhrCheck[] = [
  check({
    id: 'forms-of-date',
    title: 'The date is taken in full, without its fraction, as ISO 8601, and as the day alone',
    requirements: ['D25-date-forms'],
    expect: labelled(DATES, done),
    play: async (world) => tryEach(world, DATES, await world.patient()),
    advice: 'Take YYYY-MM-DD hh:mm:ss.mmm, the same without fraction, with T and Z, and YYYY-MM-DD.',
  }),
  check({
    id: 'day-alone-compared',
    title: 'Only the calendar day as written is compared: neither the time of day nor a time zone moves it',
    requirements: ['D25-day-only'],
    expect: labelled(TIMES_OF_DAY, done),
    play: async (world) => tryEach(world, TIMES_OF_DAY, await world.patient()),
    advice: 'Compare the first ten characters of the date; do not convert it through a time zone.',
  }),
  check({
    id: 'names-in-any-case',
    title: 'Names match in any letter case',
    requirements: ['D26-case'],
    expect: labelled(CASES, done),
    async play(world) {
      const isBeyondAscii = ({ name, surname }: KnownPerson) => /[^\x20-\x7e]/.test(`${name}${surname}`);
      const hasSuch = world.settings.people.matching.some(isBeyondAscii);
      await tryEach(world, CASES, await world.patient(hasSuch ? isBeyondAscii : undefined));
    },
    advice: 'Fold the case of both sides, by rules of no particular locale.',
  }),
  check({
    id: 'names-with-spaces',
    title: 'Names match despite spaces around them, and wider ones inside',
    requirements: ['D26-spaces'],
    expect: labelled(SPACES, done),
    async play(world) {
      const hasSpace = ({ name, surname }: KnownPerson) => `${name}${surname}`.includes(' ');
      const hasSuch = world.settings.people.matching.some(hasSpace);
      await tryEach(world, SPACES, await world.patient(hasSuch ? hasSpace : undefined));
    },
    advice: 'Trim names, and fold repeated spaces inside, on both sides.',
  }),
  check({
    id: 'names-across-unicode',
    title: 'Names match across composed and decomposed Unicode',
    requirements: ['D26-unicode'],
    expect: { decomposed: done, composed: done },
    async play(world) {
      const isComposed = ({ name, surname }: KnownPerson) =>
        `${name}${surname}`.normalize('NFD') !== `${name}${surname}`;
      const person = await world.patient(isComposed, 'patient with an accented letter');
      const form =
        (unicode: 'NFC' | 'NFD') =>
        (properties: Properties, { name, surname }: KnownPerson) => ({
          ...properties,
          name: name.normalize(unicode),
          surname: surname.normalize(unicode),
        });
      await tryEach(world, { decomposed: form('NFD'), composed: form('NFC') }, person);
    },
    advice: 'Normalise both sides to NFC before they are compared.',
  }),
  check({
    id: 'names-with-yo',
    title: 'In names ё and е are the same letter',
    requirements: ['D26-yo'],
    expect: { 'typed with е': done, 'typed with ё': done },
    async play(world) {
      const hasYo = ({ name, surname }: KnownPerson) => /ё/i.test(`${name}${surname}`);
      const person = await world.patient(hasYo, 'patient with ё in the name');
      const plain = (text: string) => text.replaceAll('ё', 'е').replaceAll('Ё', 'Е');
      const typed = (properties: Properties, { name, surname }: KnownPerson) => ({
        ...properties,
        name: plain(name),
        surname: plain(surname),
      });
      await tryEach(world, { 'typed with е': typed, 'typed with ё': (same) => same }, person);
    },
    advice: 'Replace ё by е on both sides before names are compared.',
  }),
  check({
    id: 'phone-punctuation',
    title: 'Spaces, plus, hyphens, brackets and dots in a phone make no difference',
    requirements: ['D27-phone-punctuation'],
    expect: labelled(PHONES, done),
    play: async (world) => tryEach(world, PHONES, await world.patient()),
    advice: 'Compare the digits of both phones.',
  }),
  check({
    id: 'phone-leading-eight',
    title: 'A Russian number of 11 digits that starts with 8 equals the same number with 7',
    requirements: ['D27-leading-eight'],
    expect: { 'with 8': done },
    async play(world) {
      const person = await world.patient(
        ({ phone }) => /^\+?7\d{10}$/.test(phone),
        'patient with a Russian phone',
      );
      await tryEach(world, { 'with 8': changed('phone', (phone) => phone.replace(/^\+?7/, '8')) }, person);
    },
    advice: 'Replace a leading 8 of 11 digits by 7 on both sides.',
  }),
  check({
    id: 'phone-extension',
    title: 'An extension of a phone makes no difference',
    requirements: ['D31-phone-extension'],
    expect: labelled(EXTENSIONS, done),
    play: async (world) => tryEach(world, EXTENSIONS, await world.patient()),
    advice: 'Cut a phone from x or ext on, before its digits are compared.',
  }),
  check({
    id: 'empty-means-absent',
    title: 'An empty or null searchStrategy, medCardId, middleName, email and a null gender mean absent',
    requirements: ['D30-empty-is-absent', 'D28-phone-strategy'],
    expect: { ...labelled(EMPTY, done), 'strategy PHONE': done, 'no strategy': done },
    async play(world) {
      const strategies: Changes = {
        'strategy PHONE': withValue('searchStrategy', 'PHONE'),
        'no strategy': (same) => same,
      };
      await tryEach(world, { ...EMPTY, ...strategies }, await world.patient());
    },
    advice:
      'Treat an empty text and null as if the member were not there: clients of the field send them always.',
  }),
  check({
    id: 'medcard-strategy',
    title: 'With searchStrategy MEDCARD, the card number and the phone decide which patient fits',
    requirements: ['D28-medcard-strategy'],
    expect: {
      'card and phone': done,
      'another card': refused('patient_not_matched'),
      'another phone': refused('patient_not_matched'),
    },
    async play(world) {
      const person = await world.patient(
        ({ medCardId }) => medCardId !== undefined,
        'patient with a medCardId',
      );
      const byCard = { searchStrategy: 'MEDCARD', medCardId: person.medCardId };
      const card: Changes = { 'card and phone': ({ phone }) => ({ phone, ...byCard }) };
      await tryEach(world, card, person);
      await failEach(
        world,
        {
          'another card': ({ phone }) => ({ phone, ...byCard, medCardId: `${person.medCardId}-0` }),
          'another phone': () => ({ phone: world.strangersPhone(), ...byCard }),
        },
        person,
      );
    },
    advice: 'Search by medical card number and phone alone where the client asks for MEDCARD.',
  }),
  check({
    id: 'medcard-needs-card',
    title: 'A search by MEDCARD without a card number is refused as invalid_params',
    requirements: ['D30-card-needed'],
    expect: { 'without card': refused('invalid_params'), 'with an empty card': refused('invalid_params') },
    async play(world) {
      const person = await world.patient(
        ({ medCardId }) => medCardId !== undefined,
        'patient with a medCardId',
      );
      const empty = (properties: Properties) => ({ ...properties, searchStrategy: 'MEDCARD', medCardId: '' });
      await failEach(
        world,
        { 'without card': withValue('searchStrategy', 'MEDCARD'), 'with an empty card': empty },
        person,
      );
    },
    advice: 'Answer -32602 with a sentence that names medCardId.',
  }),
  check({
    id: 'field-client-served',
    title: 'The literal calls of the public client are served',
    requirements: ['D0-field-client-served', 'D5-unknown-members', 'D5-null-cred', 'D4-number-or-string'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const pending = await world.pending();
      const { user, token } = pending.session;
      const patientProperties = { ...propertiesOf(pending.person), date: `${pending.person.date} 00:00:00Z` };
      await world.authenticate('authenticate', pending, patientProperties, {
        envelope: { id: '2', cred: null, apiKey: null },
        params: { searchStrategy: 'PHONE', medCardId: '' },
      });
      await world.getPatient(
        'read the patient',
        { user, token },
        { envelope: { id: '3', apiKey: null, params: [] } },
      );
    },
    judge({ of }) {
      const played = of('read the patient');
      if (played.result.kind === 'done' && played.result.values.userSign !== undefined) return undefined;
      return { expected: 'a reply with userSign', actual: 'a reply without userSign', shownBy: [played] };
    },
    advice:
      'Take string ids, a null cred, unknown members and empty lists as params; return userSign beside user_sign.',
  }),
];
