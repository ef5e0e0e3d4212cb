/** Checks of authenticate: the properties that find a patient, and the exchange token (§2.4, §2.5, §4.3). */
import { describe } from '../../../../engine/journal/played-steps.ts';
import { type EhrFlow, flow, isRefusedFor, nothingWrong } from '../../flow.ts';
import type { KnownPerson } from '../../settings.ts';
import { pairOf, valuesOf } from '../../world/messages.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { EhrWorld } from '../../world/world.ts';
import { byCard, cardHolder, changed, failEach, same, withValue } from './near-misses.ts';

const NOBODY = {
  'another name': withValue('name', 'Nobodyatall'),
  'another surname': withValue('surname', 'Nobodyatall'),
  'another day': withValue('date', '1901-02-03 00:00:00.000'),
};

/** Parts and patterns of right properties: LIKE, GLOB or a regular expression would find the patient by them. */
const PARTS = {
  'the name with a percent sign': changed('name', (name) => `${name.slice(0, 1)}%`),
  'the name as an expression': changed('name', (name) => `${name.slice(0, 1)}.*`),
  'the surname as an expression': withValue('surname', '.*'),
  'the name as an asterisk': withValue('name', '*'),
  'the last seven digits of the phone': changed('phone', (phone) => phone.slice(-7)),
};

async function failWith(world: EhrWorld, who: 'ambiguous' | 'inactive', label: string): Promise<void> {
  const people = [world.settings.people[who] ?? []].flat();
  world.needs(people.length > 0, `the file names nobody as people.${who}`);
  for (const person of people) await failEach(world, { [label]: same }, person, 'patient_not_matched');
}

const WITHOUT_ONE = {
  'without exchange token': () => ({ exchangeToken: undefined }),
  'without patient properties': () => ({ patientProperties: undefined }),
  'exchange token as a number': () => ({ exchangeToken: 12 }),
  'properties as a list': (person: KnownPerson) => ({ patientProperties: [propertiesOf(person)] }),
};

const AS_WRITTEN = 'name, surname, date at midnight, phone in digits, gender';

/** Every file names at least this many patients. */
const LOOKED_FOR = 3;

export const propertyFlows: readonly EhrFlow[] = [
  flow('params-of-authenticate', {
    title: 'authenticate without an exchange token or without patient properties is refused',
    requirements: ['K-few-properties-match-nobody'],
    advice: 'Check the parameters before the exchange token is looked up.',
    async play(world) {
      const pending = await world.pending();
      for (const [label, paramsFor] of Object.entries(WITHOUT_ONE)) {
        const options = { params: paramsFor(pending.person), mistake: label };
        await world.refuses(world.authenticate(label, pending, options));
      }
      await world.control(world.authenticate('with both, after five faults', pending));
    },
  }),
  flow('every-property-counts', {
    title: 'authenticate is refused when one property fits no patient, or only in part',
    requirements: ['4.3-patient-must-fit'],
    explains: ['ambiguous-not-matched', 'own-patient-at-once', 'few-properties-match-nobody'],
    advice: 'Require that name, surname, day of birth and phone all fit the same patient.',
    async play(world) {
      const person = await world.patient();
      world.needsAttempts(person, Object.keys({ ...PARTS, ...NOBODY }).length);
      // Any refusal is right: a server may refuse the form of some before it searches.
      await failEach(world, PARTS, person);
      const changes = { ...NOBODY, 'another phone': withValue('phone', world.strangersPhone()) };
      await failEach(world, changes, person, 'patient_not_matched');
      await world.control(world.signIn('all of them', { person }));
    },
  }),
  flow('ambiguous-not-matched', {
    title: 'Properties that fit several patients open the record of none of them',
    requirements: ['K-ambiguous-matches-nobody'],
    advice: 'Refuse a search that finds more than one patient.',
    play: (world) => failWith(world, 'ambiguous', 'two fit'),
  }),
  flow('inactive-not-matched', {
    title: 'An inactive or deceased patient never matches',
    requirements: ['K-inactive-not-matched'],
    advice: 'Leave inactive and deceased patients out of the search.',
    play: (world) => failWith(world, 'inactive', 'inactive or deceased'),
  }),
  flow('patients-found-as-written', {
    title: 'A patient is found by the properties in the very form of the interface',
    requirements: ['3-authenticate-opens'],
    advice: 'Take the date as the day that is written, and each property in the form of §2.5.',
    // Whatever else finds nobody needs this first.
    settled({ all }) {
      const unfound = all(AS_WRITTEN).find(({ result }) => isRefusedFor(result, 'patient_not_matched'));
      if (!unfound) return undefined;
      const { result } = unfound;
      const expected = `"${AS_WRITTEN}" succeeds`;
      return { expected, actual: describe(result), shownBy: [unfound], saysWhy: true };
    },
    async play(world) {
      for (let count = 0; count < LOOKED_FOR; count++) {
        const person = await world.patient();
        await world.succeeds(world.signIn(AS_WRITTEN, { person }, { properties: propertiesOf(person) }));
      }
    },
  }),
  flow('medcard-strategy', {
    title: 'With searchStrategy MEDCARD, the card number and the phone decide which patient fits',
    requirements: ['D28-medcard-strategy'],
    advice: 'Search by medical card number and phone alone where the client asks for MEDCARD.',
    async play(world) {
      const person = await cardHolder(world);
      const { phone, medCardId } = person;
      const alone = { properties: { phone }, params: byCard(person) };
      await world.succeeds(world.signIn('card and phone', { person }, alone));
      const right = { phone, ...byCard(person) };
      const wrong = {
        'another card': () => ({ ...right, medCardId: `${medCardId}-0` }),
        'another phone': () => ({ ...right, phone: world.strangersPhone() }),
      };
      await failEach(world, wrong, person, 'patient_not_matched');
    },
  }),
  flow('field-client-served', {
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
    // The interface has the signature in the reply of get_patient; that of authenticate may have it, too.
    judge: nothingWrong(
      'a reply with userSign',
      ['read the patient'],
      (played, { of }) =>
        [of('authenticate'), played].every((each) => valuesOf(each).userSign === undefined) &&
        'no reply has userSign',
    ),
    advice:
      'Take string ids, a null cred, unknown members and empty lists as params; return userSign beside user_sign.',
    async play(world) {
      const person = await world.patient();
      const literal = {
        properties: { ...propertiesOf(person), date: `${person.date} 00:00:00Z` },
        envelope: { id: '2', cred: null, apiKey: null },
        params: { searchStrategy: 'PHONE', medCardId: '' },
      };
      const { session } = await world.succeeds(world.signIn('authenticate', { person }, literal));
      const envelope = { id: '3', apiKey: null, params: [] };
      await world.succeeds(world.getPatient('read the patient', session, { envelope }));
    },
  }),
];

export const exchangeTokenFlows: readonly EhrFlow[] = [
  flow('exchange-token-opens', {
    title: 'authenticate with a saved exchange token and a fitting patient opens a session at once',
    requirements: [
      '3-exchange-token-remembered',
      '3-authenticate-opens',
      '4.3-authenticates',
      '3-authenticated',
      '5.4-authenticate-identified',
    ],
    advice:
      'Store the session of the saved authInfo when authenticate succeeds; get_patient answers from then on.',
    async play(world) {
      const person = await world.patient();
      const session = world.sessionFor(person);
      const exchangeToken = world.invented('exchange-token');
      await world.succeeds(world.saveExchangeToken('save', exchangeToken, session));
      await world.succeeds(world.authenticate('authenticate', { exchangeToken, session, person }));
      await world.succeeds(world.getPatient('read the patient', session));
    },
  }),
  flow('exchange-token-alone-opens-nothing', {
    title: 'A pending exchange token does not itself open patient data',
    requirements: ['3-exchange-token-pending', '3-no-session'],
    advice:
      'Keep the authInfo beside the exchange token, and make it a session only when authenticate succeeds.',
    async play(world) {
      const pending = await world.pending();
      await world.refuses(world.getPatient('before authenticate', pending.session), 'not_authorized');
      await world.link(pending);
      await world.control(world.getPatient('after authenticate', pending.session));
    },
  }),
  flow('exchange-token-used-once', {
    title: 'An exchange token cannot be used again',
    requirements: ['D13-exchange-token-used-up'],
    advice: 'Mark the exchange token as used in the same transaction that stores the session.',
    async play(world) {
      const pending = await world.control(world.signIn('first use'));
      const again = (when: string) =>
        world.refuses(world.authenticate(`second use${when}`, pending), 'exchange_token_unknown');
      await again('');
      // What ends the session must not make its exchange token new.
      await world.control(world.removeAuthInfo('log out', pending.session));
      await again(' after the logout');
      const next = await world.control(world.signIn('another sign-in', world.again(pending)));
      await world.control(world.removeAuthentication('disconnect', next.session));
      await again(' after a disconnect');
    },
  }),
  flow('exchange-token-unknown', {
    title: 'authenticate with an exchange token that was never saved is refused',
    requirements: ['7-exchange-token-unknown', '3-no-session'],
    advice: 'Look the exchange token up among those that the authorization server saved; refuse any other.',
    async play(world) {
      const pending = await world.pending();
      const session = world.session();
      const unknown = { ...pending, exchangeToken: world.invented('exchange-token'), session };
      await world.refuses(world.authenticate('never saved', unknown), 'exchange_token_unknown');
      await world.refuses(world.getPatient('read the patient', session), 'not_authorized');
      await world.control(world.authenticate('saved', pending));
    },
  }),
  flow('exchange-token-opens-its-own-session', {
    title: 'An exchange token opens the session that was saved with it, whatever user the client names',
    requirements: ['D21-stored-user-only'],
    advice:
      'Take the user from the authInfo saved with the exchange token, and ignore a user in the call itself.',
    async play(world) {
      const pending = await world.pending();
      const other = await world.pending();
      const params = { user: other.session.user, authInfo: other.session };
      const cred = pairOf(other.session);
      // A server may refuse a cred and further params here: then the call without them must open.
      const first = await world.authenticate('with the cred of another user', pending, { cred, params })();
      if (first.result.kind !== 'done') await world.authenticate('without it', pending)();
      await world.succeeds(world.getPatient('its own session', pending.session));
      await world.refuses(world.getPatient("the other user's session", other.session), 'not_authorized');
    },
  }),
  flow('no-patient-no-session', {
    title: 'An authenticate that fits no patient leaves the user without a session',
    requirements: ['3-authenticate-needs-patient'],
    advice: 'Store the session only where one patient fits.',
    async play(world) {
      const pending = await world.pending();
      const properties = world.strangersProperties();
      const id = 'no-patient-no-session';
      await world.refuses(world.authenticate('nobody fits', pending, { properties }), undefined, id);
      await world.refuses(world.getPatient('read the patient', pending.session), 'not_authorized', id);
      const linked = await world.linked(world.again(pending));
      await world.control(world.getPatient('read after another authenticate', linked.session));
      const owner = await world.pending();
      const wrong = { ...propertiesOf(owner.person), name: properties.name };
      const { person } = owner;
      const guesser = { person, session: world.session() };
      await world.signIn('somebody else fails with the phone', guesser, { properties: wrong })();
      await world.succeeds(world.authenticate('the owner links at once', owner), 'refusal-locks-nobody');
    },
    checks: {
      'refusal-locks-nobody': {
        title: 'A failed match of somebody else locks no patient',
        requirements: ['K-patient-let-go'],
        advice:
          'Let a refusal leave no lock on the patient or the phone; count failed matches, and allow several.',
      },
    },
  }),
  flow('foreign-session-not-opened', {
    title: "authenticate for a token that has become another user's session is refused",
    requirements: ['2.3-token-of-one-session'],
    advice: 'Look for the session token again when authenticate opens it, in the same transaction.',
    async play(world) {
      const holder = await world.linked();
      const late = await world.pending();
      const taken = await world.saved(holder, { token: late.session.token });
      await world.refuses(world.authenticate('authenticate too late', late), 'token_already_stored');
      await world.control(world.getPatient('the holder reads', taken));
      const { person } = late;
      await world.succeeds(world.signIn('another user links the patient of the refusal', { person }));
    },
  }),
];
