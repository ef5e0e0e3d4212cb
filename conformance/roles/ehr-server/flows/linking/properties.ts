/**
 * Checks of the properties by which an EHR server finds a patient: which are required, of which types they
 * are, and that all must fit (§2.5, §4.3).
 */
import { GENDERS } from '#protocol/wire/matching.ts';
import { check, checkOf, done, type EhrCheck, labelled, refused, refusedBy } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { NotPlayable } from '../../world/conditions.ts';
import { propertiesOf } from '../../world/patients.ts';
import { whatTells } from '../../world/played.ts';
import type { EhrWorld } from '../../world/world.ts';
import { changed, eachRefused, failEach, same, tryEach, without, withValue } from './attempts.ts';

const WRONG_TYPES = {
  'name as a number': withValue('name', 7),
  'surname as a list': withValue('surname', ['Petrova']),
  'name as an object': withValue('name', { given: 'Anna' }),
  'date as a number': withValue('date', 482_112_000_000),
  'date of no calendar': withValue('date', '1985-02-30 00:00:00.000'),
  'date in another order': withValue('date', '12.04.1985'),
  'date as words': withValue('date', 'yesterday'),
  'phone as a number': withValue('phone', 79_990_000_001),
  'phone as words': withValue('phone', 'my phone'),
  'phone with a letter in it': changed('phone', (phone) => `${phone.slice(0, 4)}a${phone.slice(4)}`),
  'a strategy of no name': withValue('searchStrategy', 'NAME'),
};

/** Properties of which one fits no patient. */
const NOBODY = {
  'another name': withValue('name', 'Nobodyatall'),
  'another surname': withValue('surname', 'Nobodyatall'),
  'another day': withValue('date', '1901-02-03 00:00:00.000'),
};

/** Parts and patterns of right properties. A search by LIKE in a database would find the patient by them. */
const PARTS = {
  'the name with a percent sign': changed('name', (name) => `${name.slice(0, 1)}%`),
  'the last seven digits of the phone': changed('phone', (phone) => phone.slice(-7)),
};

/**
 * Returns a person whom the file names as one who must never be found.
 * @throws NotPlayable when the file names none
 */
function neverLinked({ settings: { people } }: EhrWorld, who: 'ambiguous' | 'inactive'): KnownPerson {
  const person = people[who];
  if (!person) throw new NotPlayable(`the file names nobody as people.${who}`);
  return person;
}

const hasGender = ({ gender }: KnownPerson) => gender !== undefined;

const ambiguousNotMatched = check({
  id: 'ambiguous-not-matched',
  title: 'Properties that fit several patients open the record of none of them',
  requirements: ['K-ambiguous-matches-nobody'],
  expect: { 'two fit': refused('patient_not_matched') },
  further: ['none fits'],
  async play(world) {
    const person = neverLinked(world, 'ambiguous');
    await failEach(world, { 'two fit': same }, person);
    for (const _ of [1, 2])
      await failEach(world, { 'none fits': withValue('phone', world.strangersPhone()) }, person);
  },
  advice: 'Refuse a search that finds more than one patient.',
});

export const propertyChecks: readonly EhrCheck[] = [
  check({
    id: 'params-of-authenticate',
    title: 'authenticate without an exchange token or without patient properties is refused',
    requirements: ['4.3-params-checked', 'DE-invalid-params'],
    expect: {
      'with both, after five faults': done,
      'without exchange token': refused('invalid_params'),
      'without patient properties': refused('invalid_params'),
      'exchange token as a number': refused('invalid_params'),
      'properties as a list': refused('invalid_params'),
      'a day of no calendar': refused('invalid_params'),
    },
    async play(world) {
      const pending = await world.pending();
      const properties = propertiesOf(pending.person);
      const send = (label: Parameters<typeof world.authenticate>[0], params: Record<string, unknown>) =>
        world.authenticate(label, pending, { params, mistake: label });
      await send('without exchange token', { exchangeToken: undefined });
      await send('without patient properties', { patientProperties: undefined });
      await send('exchange token as a number', { exchangeToken: 12 });
      await send('properties as a list', { patientProperties: [properties] });
      // Faults of the call are no failed matches: they neither count nor use the token up.
      for (let fault = 0; fault < 5; fault++)
        await world.authenticate('a day of no calendar', pending, {
          properties: { ...properties, date: '1985-02-30' },
        });
      await world.authenticate('with both, after five faults', pending);
    },
    advice: 'Check the parameters before the exchange token is looked up, and answer -32602.',
  }),
  check({
    id: 'required-properties',
    title: 'Without name, surname, date or phone authenticate is refused as invalid_params',
    requirements: ['D23-required'],
    ...eachRefused(refused('invalid_params'), {
      'without name': without('name'),
      'without surname': without('surname'),
      'without date': without('date'),
      'without phone': without('phone'),
    }),
    advice:
      'Require name, surname, date and phone for a search by phone, and answer -32602 where one is missing.',
  }),
  check({
    id: 'types-of-properties',
    title: 'A patient property of the wrong type or format is refused as invalid_params',
    requirements: ['2.5-types-checked', 'DE-invalid-params'],
    ...eachRefused(refused('invalid_params'), WRONG_TYPES),
    expect: {
      ...labelled(WRONG_TYPES, refused('invalid_params')),
      // A server may take these for a search that finds nobody.
      'phone with a letter in it': refused(),
      'a strategy of no name': refused(),
    },
    advice: 'Check type and format of each property; a date must be a day of the calendar.',
  }),
  check({
    id: 'gender-codes',
    title: 'gender is 0, 1, 2 or 3; anything else is refused as invalid_params',
    requirements: ['D32-gender-from-zero'],
    ...eachRefused(refused('invalid_params'), {
      'gender 4': withValue('gender', 4),
      'gender 9': withValue('gender', 9),
      'gender -1': withValue('gender', -1),
      'gender 0.5': withValue('gender', 0.5),
      'gender as text': withValue('gender', '1'),
      'gender true': withValue('gender', true),
    }),
    advice: 'Take 0 male, 1 female, 2 other and 3 unknown, and no other value.',
  }),
  check({
    id: 'gender-must-agree',
    title: 'gender may be left out; when it is sent, it must agree',
    requirements: ['D23-gender-optional'],
    expect: {
      'another gender': refusedBy('patient_not_matched'),
      'the gender other': refusedBy('patient_not_matched'),
      'without gender': done,
      'the right gender': done,
    },
    async play(world) {
      // For a woman (1) the wrong gender is 0, which a careless server takes for an absent one.
      const isFemale = ({ gender }: KnownPerson) => gender === GENDERS.female;
      const fits = world.settings.people.matching.some(isFemale) ? isFemale : hasGender;
      const person = await world.patient(fits, 'patient with a gender');
      const other = person.gender === GENDERS.male ? GENDERS.female : GENDERS.male;
      const further = person.gender === GENDERS.other ? GENDERS.female : GENDERS.other;
      const genders = {
        'another gender': withValue('gender', other),
        'the gender other': withValue('gender', further),
      };
      await failEach(world, genders, person);
      await tryEach(world, { 'without gender': without('gender'), 'the right gender': same }, person);
    },
    advice: 'Compare gender only where the client sends it.',
  }),
  check({
    id: 'every-property-counts',
    title: 'authenticate is refused when one property fits no patient, or only in part',
    requirements: ['4.3-patient-must-fit'],
    control: ['all of them'],
    expect: {
      ...labelled(NOBODY, refused('patient_not_matched')),
      'another phone': refused('patient_not_matched'),
      // Any refusal is right: a server may refuse the form of some before it searches.
      ...labelled(PARTS, refused()),
    },
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, Object.keys({ ...PARTS, ...NOBODY }).length);
      await failEach(world, PARTS, person);
      const anotherPhone = withValue('phone', world.strangersPhone());
      await failEach(world, { ...NOBODY, 'another phone': anotherPhone }, person);
      await tryEach(world, { 'all of them': same }, person);
    },
    explains: ['ambiguous-not-matched', 'own-patient-at-once', 'few-properties-match-nobody'],
    advice: 'Require that name, surname, day of birth and phone all fit the same patient.',
  }),
  ambiguousNotMatched,
  checkOf(ambiguousNotMatched, {
    id: 'ambiguous-answered-like-nobody',
    title: 'Properties that fit several patients are refused like those that fit none',
    requirements: ['DE-patient-not-matched'],
    expect: { 'two fit': refused('patient_not_matched'), 'none fits': refused('patient_not_matched') },
    judge({ of, all }) {
      const two = of('two fit');
      const nones = all('none fits');
      const telling = whatTells([two], nones);
      if (telling === undefined) return undefined;
      const actual = `answers that ${telling} tells apart`;
      return { expected: 'the same answer to both', actual, shownBy: [two, ...nones] };
    },
    advice:
      'Answer -34001 with the same message for none and for several, so that nobody learns of a second patient.',
  }),
  check({
    id: 'inactive-not-matched',
    title: 'An inactive or deceased patient never matches',
    requirements: ['K-inactive-not-matched'],
    ...eachRefused(refused('patient_not_matched'), { 'an inactive patient': same }, (world) =>
      neverLinked(world, 'inactive'),
    ),
    advice: 'Leave inactive and deceased patients out of the search.',
  }),
];
