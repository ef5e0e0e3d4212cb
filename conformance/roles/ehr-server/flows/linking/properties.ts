/** Checks of authenticate: the properties that find a patient, and the exchange token (§2.4, §2.5, §4.3). */
import { check, done, type EhrCheck, ends, entriesOf, labelled, nothingWrong, refused } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { pairOf, valuesOf } from '../../world/messages.ts';
import { propertiesOf } from '../../world/patients.ts';
import { type EhrWorld, NotPlayable } from '../../world/world.ts';
import { cardHolder, changed, eachRefused, failEach, same, tryEach, withValue } from './near-misses.ts';

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

function neverLinked({ settings: { people } }: EhrWorld, who: 'ambiguous' | 'inactive'): KnownPerson {
  const person = people[who];
  if (!person) throw new NotPlayable(`the file names nobody as people.${who}`);
  return person;
}

const WITHOUT_ONE = {
  'without exchange token': () => ({ exchangeToken: undefined }),
  'without patient properties': () => ({ patientProperties: undefined }),
  'exchange token as a number': () => ({ exchangeToken: 12 }),
  'properties as a list': (person: KnownPerson) => ({ patientProperties: [propertiesOf(person)] }),
};

export const propertyChecks: readonly EhrCheck[] = [
  check({
    id: 'params-of-authenticate',
    title: 'authenticate without an exchange token or without patient properties is refused',
    requirements: ['K-few-properties-match-nobody'],
    control: ['with both, after five faults'],
    expect: labelled(WITHOUT_ONE, refused()),
    async play(world) {
      const pending = await world.pending();
      for (const [label, paramsFor] of entriesOf(WITHOUT_ONE))
        await world.authenticate(label, pending, { params: paramsFor(pending.person), mistake: label });
      await world.authenticate('with both, after five faults', pending);
    },
    advice: 'Check the parameters before the exchange token is looked up.',
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
  check({
    id: 'ambiguous-not-matched',
    title: 'Properties that fit several patients open the record of none of them',
    requirements: ['K-ambiguous-matches-nobody'],
    expect: { 'two fit': refused('patient_not_matched') },
    play: (world) => failEach(world, { 'two fit': same }, neverLinked(world, 'ambiguous')),
    advice: 'Refuse a search that finds more than one patient.',
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
    requirements: [
      'D0-field-client-served',
      'D16-user-sign-read',
      'D5-null-cred',
      'D4-number-or-string',
      'D25-date-forms',
      'D28-phone-strategy',
      'D30-empty-is-absent',
    ],
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

export const exchangeTokenChecks: readonly EhrCheck[] = [
  check({
    id: 'exchange-token-opens',
    title: 'authenticate with a saved exchange token and a fitting patient opens a session at once',
    requirements: [
      '3-exchange-token-remembered',
      '3-authenticate-opens',
      '4.3-authenticates',
      '3-authenticated',
      '5.4-authenticate-identified',
    ],
    expect: { save: done, authenticate: done, 'read the patient': done },
    async play(world) {
      const person = await world.patient();
      const session = world.sessionFor(person);
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('save', exchangeToken, session);
      await world.authenticate('authenticate', { exchangeToken, session, person });
      await world.getPatient('read the patient', session);
    },
    advice:
      'Store the session of the saved authInfo when authenticate succeeds; get_patient answers from then on.',
  }),
  check({
    id: 'exchange-token-alone-opens-nothing',
    title: 'A pending exchange token does not itself open patient data',
    requirements: ['3-exchange-token-pending', '3-no-session'],
    control: ['after authenticate'],
    expect: { 'before authenticate': refused('not_authorized') },
    async play(world) {
      const pending = await world.pending();
      await world.getPatient('before authenticate', pending.session);
      await world.link(pending);
      await world.getPatient('after authenticate', pending.session);
    },
    advice:
      'Keep the authInfo beside the exchange token, and make it a session only when authenticate succeeds.',
  }),
  check({
    id: 'exchange-token-used-once',
    title: 'An exchange token cannot be used again',
    requirements: ['D13-exchange-token-used-up'],
    control: ['first use'],
    expect: { 'second use': refused('exchange_token_unknown') },
    async play(world) {
      const pending = await world.signIn('first use');
      await world.authenticate('second use', pending);
    },
    advice: 'Mark the exchange token as used in the same transaction that stores the session.',
  }),
  check({
    id: 'exchange-token-unknown',
    title: 'authenticate with an exchange token that was never saved is refused',
    requirements: ['7-exchange-token-unknown', '3-no-session'],
    control: ['saved'],
    expect: {
      'never saved': refused('exchange_token_unknown'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      const pending = await world.pending();
      const session = world.session();
      const unknown = { ...pending, exchangeToken: world.invented('exchange-token'), session };
      await world.authenticate('never saved', unknown);
      await world.getPatient('read the patient', session);
      await world.authenticate('saved', pending);
    },
    advice: 'Look the exchange token up among those that the authorization server saved; refuse any other.',
  }),
  check({
    id: 'exchange-token-opens-its-own-session',
    title: 'An exchange token opens the session that was saved with it, whatever user the client names',
    requirements: ['D21-stored-user-only'],
    expect: {
      // A server may refuse a cred and further params here: then the call without them must open.
      'with the cred of another user': ends,
      'its own session': done,
      "the other user's session": refused('not_authorized'),
    },
    further: ['without it'],
    async play(world) {
      const pending = await world.pending();
      const other = await world.pending();
      const params = { user: other.session.user, authInfo: other.session };
      const cred = pairOf(other.session);
      const { result } = await world.authenticate('with the cred of another user', pending, { cred, params });
      if (result.kind !== 'done') await world.authenticate('without it', pending);
      await world.getPatient('its own session', pending.session);
      await world.getPatient("the other user's session", other.session);
    },
    advice:
      'Take the user from the authInfo saved with the exchange token, and ignore a user in the call itself.',
  }),
  check({
    id: 'no-patient-no-session',
    title: 'An authenticate that fits no patient leaves the user without a session',
    requirements: ['3-authenticate-needs-patient'],
    control: ['read after another authenticate'],
    expect: { 'nobody fits': refused(), 'read the patient': refused('not_authorized') },
    async play(world) {
      const pending = await world.pending();
      await world.authenticate('nobody fits', pending, { properties: world.strangersProperties() });
      await world.getPatient('read the patient', pending.session);
      const linked = await world.linked(world.again(pending));
      await world.getPatient('read after another authenticate', linked.session);
    },
    advice: 'Store the session only where one patient fits.',
  }),
  check({
    id: 'foreign-session-not-opened',
    title: "authenticate for a token that has become another user's session is refused",
    requirements: ['2.3-token-of-one-session'],
    control: ['the holder reads'],
    expect: { 'authenticate too late': refused('token_already_stored') },
    async play(world) {
      const holder = await world.linked();
      const late = await world.pending();
      const taken = await world.saved(holder, { token: late.session.token });
      await world.authenticate('authenticate too late', late);
      await world.getPatient('the holder reads', taken);
    },
    advice: 'Look for the session token again when authenticate opens it, in the same transaction.',
  }),
];
