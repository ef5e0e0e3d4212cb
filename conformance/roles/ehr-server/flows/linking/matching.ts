/**
 * Checks that an EHR server finds a patient in spite of harmless differences: other forms of dates, names and
 * phones (decisions 25 to 31).
 */
import { check, done, type EhrCheck, nothingWrong, refused } from '../../check.ts';
import { propertiesOf } from '../../world/patients.ts';
import { valuesOf } from '../../world/played.ts';
import { cardHolder, dated, eachFinds, failEach, same, tryEach, withValue } from './attempts.ts';

/** How many patients are looked for as they are written: a run has at least so many. */
const LOOKED_FOR = 3;

export const matchingChecks: readonly EhrCheck[] = [
  check({
    id: 'patients-found-as-written',
    title: 'A patient is found by the properties in the very form of the interface',
    requirements: ['3-authenticate-opens'],
    expect: { 'name, surname, date at midnight, phone in digits, gender': done },
    async play(world) {
      for (let count = 0; count < LOOKED_FOR; count++) {
        const person = await world.patient();
        const label = 'name, surname, date at midnight, phone in digits, gender';
        await world.signIn(label, { person }, { properties: propertiesOf(person) });
      }
    },
    advice: 'Take the date as the day that is written, and each property in the form of §2.5.',
  }),
  check({
    id: 'forms-of-date',
    title: 'The date is taken in full, and as ISO 8601',
    requirements: ['D25-date-forms'],
    ...eachFinds({
      'in full': same,
      'as ISO 8601': dated((day) => `${day}T00:00:00.000Z`),
      'with Z and a space': dated((day) => `${day} 00:00:00Z`),
    }),
    advice: 'Take YYYY-MM-DD hh:mm:ss.mmm, and the same with T and Z.',
  }),
  check({
    id: 'empty-means-absent',
    title: 'An empty or null searchStrategy, medCardId, middleName, email and a null gender mean absent',
    requirements: ['D30-empty-is-absent', 'D28-phone-strategy'],
    ...eachFinds({
      'empty strategy': withValue('searchStrategy', ''),
      'strategy null': withValue('searchStrategy', null),
      'empty card': withValue('medCardId', ''),
      'card null': withValue('medCardId', null),
      'gender null': withValue('gender', null),
      'empty middle name and e-mail': (properties) => ({ ...properties, middleName: '', email: '' }),
      'strategy PHONE': withValue('searchStrategy', 'PHONE'),
      'no strategy': same,
    }),
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
      const person = await cardHolder(world);
      const { phone, medCardId } = person;
      const byCard = { phone, searchStrategy: 'MEDCARD', medCardId };
      await tryEach(world, { 'card and phone': () => byCard }, person);
      const wrong = {
        'another card': () => ({ ...byCard, medCardId: `${medCardId}-0` }),
        'another phone': () => ({ ...byCard, phone: world.strangersPhone() }),
      };
      await failEach(world, wrong, person);
    },
    advice: 'Search by medical card number and phone alone where the client asks for MEDCARD.',
  }),
  check({
    id: 'field-client-served',
    title: 'The literal calls of the public client are served',
    requirements: ['D0-field-client-served', 'D16-user-sign-read', 'D5-null-cred', 'D4-number-or-string'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const person = await world.patient();
      const { session } = await world.signIn(
        'authenticate',
        { person },
        {
          properties: { ...propertiesOf(person), date: `${person.date} 00:00:00Z` },
          envelope: { id: '2', cred: null, apiKey: null },
          params: { searchStrategy: 'PHONE', medCardId: '' },
        },
      );
      const envelope = { id: '3', apiKey: null, params: [] };
      await world.getPatient('read the patient', session, { envelope });
    },
    judge: nothingWrong(
      'a reply with userSign',
      ['authenticate', 'read the patient'],
      (played) => valuesOf(played).userSign === undefined && 'a reply without userSign',
    ),
    advice:
      'Take string ids, a null cred, unknown members and empty lists as params; return userSign beside user_sign.',
  }),
];
