/** Defects of an EHR server in which patient the properties identify, and how nearly they must fit. */
import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import type { Attempt } from '#ehr-server/store/store.ts';
import { allPersonaPatients, propertiesOf } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, no, withParams, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  before,
  both,
  foundBy,
  inError,
  instead,
  matchesOnlyIf,
  memoised,
  patientFitting,
  pendingOf,
  propertiesIn,
  READ,
  searchesBy,
  success,
  withMis,
  withStore,
} from '../changes.ts';

export const HOUR_MS = 3_600_000;

const without = (name: 'name' | 'surname' | 'day' | 'phone' | 'gender') =>
  searchesBy((query): MatchQuery => (query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query));

const digits = (phone: unknown) => String(phone).replace(/\D/g, '');
/** Whether a server in another time zone reads the sent date as the day of a record. */
export const dayIn =
  (offsetMs: number) =>
  (sent: Members, { birthdate }: Patient) => {
    const instant = new Date(String(sent.date).replace(' ', 'T').replace(/Z?$/, 'Z'));
    return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10) === birthdate.slice(0, 10);
  };

/** Ignore properties that are objects, as a database that takes them for conditions. */
const takesConditions = instead(AUTHENTICATE, async (turn) => {
  const sent = Object.entries(propertiesIn(turn));
  const plain = sent.filter(([, value]) => typeof value !== 'object');
  if (plain.length === sent.length) return undefined;
  const params = { ...turn.params, patientProperties: Object.fromEntries(plain) };
  const parts = { ...turn.parts, rules: { ...turn.parts.rules, matchingRequired: [] } };
  return (await patientFitting({ params, parts })) ? success(turn) : no('patient_not_matched');
});

export const matchingDefects = foundBy({
  'ambiguous-not-matched': [
    'first-of-several: Of two patients who fit the first is taken',
    withMis((mis) => ({ match: async (query) => (await mis.match(query)).slice(0, 1) })),
  ],
  'inactive-not-matched': [
    'inactive-matched: An inactive patient matches',
    { patients: (patients) => patients.map((patient) => ({ ...patient, active: true, deceased: false })) },
  ],
  'conditions-match-nobody': [
    'condition-as-property: A property that is an object or a list fits everybody',
    takesConditions,
  ],
  'params-of-authenticate': [
    'params-in-any-shape: Patient properties given as a list are read from its first element',
    before(AUTHENTICATE, ({ call, params: { patientProperties } }) =>
      Array.isArray(patientProperties)
        ? withParams(call, { patientProperties: patientProperties[0] })
        : undefined,
    ),
  ],
  'field-client-served': [
    'string-ids-refused: A call whose id is a text is refused',
    instead(
      ({ call }) => typeof call.id === 'string',
      () => no('invalid_request'),
    ),
  ],
  'every-property-counts': [
    'name-not-compared: The name is not compared',
    without('name'),
    'phone-not-compared: The phone is not compared',
    without('phone'),
  ],
  'patients-found-as-written': [
    'midnight-as-day-before: The date is turned to another time zone, and midnight is the day before',
    matchesOnlyIf(dayIn(-3 * HOUR_MS)),
  ],
});

type Fits = (sent: Members, patient: Patient) => boolean;

const unfit = refused(AUTHENTICATE, 'patient_not_matched', 'invalid_params');

/** Go on with the right properties of the first patient who fits loosely, where nobody fits exactly. */
const takesToo = (fits: Fits, others: Members = { searchStrategy: '', medCardId: '' }) =>
  after(unfit, async (turn) => {
    const found = allPersonaPatients.find((patient) => fits(propertiesIn(turn), patient));
    const exactly = { patientProperties: found && propertiesOf(found), ...others };
    return found && ((await turn.next(withParams(turn.call, exactly))) ?? undefined);
  });

const text = (value: unknown) => String(value ?? '').toLowerCase();
const hasDay: Fits = ({ date }, { birthdate }) => text(date).slice(0, 10) === birthdate.slice(0, 10);
const hasPhone: Fits = ({ phone }, { phones }) => phones.includes(digits(phone));
const hasNames =
  (fold: (name: string) => string): Fits =>
  ({ name, surname }, patient) =>
    fold(text(name)) === fold(text(patient.name)) && fold(text(surname)) === fold(text(patient.surname));
const same = (name: string) => name;
const lastSeven = (phone: string) => phone.slice(-7);

const hasPhoneBy =
  (key: (phone: string) => string): Fits =>
  ({ phone }, { phones }) =>
    phones.some((known) => key(known) === key(digits(phone)));

const all =
  (...rules: readonly Fits[]): Fits =>
  (sent, patient) =>
    rules.every((fits) => fits(sent, patient));

/** Fits where each property that is not empty fits, and at least one is not empty. */
const emptyFits: Fits = (sent, { name, surname, birthdate, phones }) => {
  const known: readonly [unknown, boolean][] = [
    [sent.name, text(sent.name) === text(name)],
    [sent.surname, text(sent.surname) === text(surname)],
    [sent.date, text(sent.date).startsWith(birthdate.slice(0, 10))],
    [sent.phone, phones.includes(digits(sent.phone))],
  ];
  const isEmpty = (value: unknown) => text(value).trim() === '';
  return (
    known.some(([value]) => !isEmpty(value)) &&
    known.every(([value, isFitting]) => isEmpty(value) || isFitting)
  );
};

const beginsAlike: Fits = ({ name, surname }, patient) =>
  text(name).length > 1 &&
  text(surname).length > 1 &&
  text(patient.name).startsWith(text(name)) &&
  text(patient.surname).startsWith(text(surname));

const tells = (words: (fits: (rule: Fits) => boolean, sent: Members) => string | undefined) =>
  after(unfit, (turn) => {
    const sent = propertiesIn(turn);
    const message = words((rule) => allPersonaPatients.some((patient) => rule(sent, patient)), sent);
    return message === undefined ? undefined : inError(turn.reply, { message });
  });

export const nearMissDefects = foundBy({
  'mismatches-refused-alike': [
    'wrong-property-named: The refusal says which property does not fit',
    tells((fits) => {
      if (!fits(hasPhone)) return 'Nobody has this phone.';
      if (!fits(all(hasPhone, hasDay))) return 'The day of birth is another.';
      return 'The name is another.';
    }),
  ],
  'like-names-match-nobody': [
    'names-by-beginning: A name fits by its beginning',
    takesToo(all(beginsAlike, hasDay, hasPhone)),
  ],
  'names-in-their-places': [
    'names-in-either-place: Name and surname fit in the place of each other',
    takesToo(
      all(
        ({ name, surname }, patient) => hasNames(same)({ name: surname, surname: name }, patient),
        hasDay,
        hasPhone,
      ),
    ),
  ],
  'like-phones-match-nobody': [
    'phone-by-last-seven: A phone fits by its last seven digits',
    takesToo(all(hasNames(same), hasDay, hasPhoneBy(lastSeven))),
  ],
  'like-days-match-nobody': [
    'year-not-compared: Of the day of birth the year is not compared',
    takesToo(
      all(
        hasNames(same),
        hasPhone,
        ({ date }, { birthdate }) => text(date).slice(4, 10) === birthdate.slice(4, 10),
      ),
    ),
  ],
  'day-and-month-in-their-places': [
    'day-and-month-guessed: Day and month fit in the place of each other',
    takesToo(
      all(hasNames(same), hasPhone, ({ date }, { birthdate }) => {
        const [year, month, day] = text(date).slice(0, 10).split('-');
        return `${year}-${day}-${month}` === birthdate.slice(0, 10);
      }),
    ),
  ],
  'empty-properties-match-nobody': [
    'empty-fits-everybody: A property that is empty fits everybody',
    takesToo(emptyFits),
  ],
  'few-properties-match-nobody': [
    'phone-suffices: A phone alone finds its patient',
    takesToo(({ name, phone }, patient) => name === undefined && hasPhone({ phone }, patient)),
    'empty-names-fit: Empty names fit whoever has the phone and the day of birth',
    takesToo(all(({ name, surname }) => name === '' && surname === '', hasDay, hasPhone)),
  ],
  'like-cards-match-nobody': [
    'card-by-beginning: A medical card fits by its beginning',
    takesToo(
      ({ medCardId }, { medcardNumber }) =>
        text(medCardId) !== '' && text(medcardNumber).startsWith(text(medCardId)),
      {},
    ),
  ],
});

const MINUTE_MS = 60_000;

const inAttempts = (change: (attempt: Attempt) => Partial<Attempt>): EhrChange =>
  withStore((store) => ({
    refusalOf: (attempt) => store.refusalOf({ ...attempt, ...change(attempt) }),
    link: (request) => store.link({ ...request, ...change(request) }),
    countFailure: (attempt) => store.countFailure({ ...attempt, ...change(attempt) }),
  }));

/** A negative age makes exchange tokens younger. */
const agedBy = (ms: number) => inAttempts(({ now }) => ({ now: now + ms }));

const repliesAgain = memoised(AUTHENTICATE, ({ params }) => params.exchangeToken);

const opensForCaller = both(
  after(done(AUTHENTICATE), (turn) => {
    turn.seen.notes<unknown>('opened').set(turn.cred.token, pendingOf(turn));
  }),
  before(READ, ({ call, cred, seen }) => {
    const announced = cred.token !== undefined && seen.notes<unknown>('opened').get(cred.token);
    return announced ? { ...call, cred: announced } : undefined;
  }),
);

export const exchangeTokenDefects = foundBy({
  'exchange-token-alone-opens-nothing': [
    'announced-session-open: The session of an exchange token is open before anybody has authenticated',
    after(refused(READ), ({ cred, seen }) =>
      seen.isAnnounced(cred.token) ? yes({ patient: null }) : undefined,
    ),
  ],
  'no-patient-no-session': [
    'failed-match-opens: An authenticate that fits nobody opens the session all the same',
    both(
      after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
        turn.seen.notes('tried').set(pendingOf(turn)?.token, true);
        return undefined;
      }),
      after(refused(READ), ({ cred, seen }) =>
        seen.notes('tried').has(cred.token) ? yes({ patient: null }) : undefined,
      ),
    ),
  ],
  'exchange-token-used-once': [
    'used-token-replies-again: A used exchange token is answered with the reply of its first use',
    repliesAgain,
  ],
  'exchange-token-opens-its-own-session': [
    'session-of-the-caller: authenticate opens the session of the cred in the call',
    opensForCaller,
  ],
  'exchange-token-expires': [
    'exchange-token-fifteen-minutes: A tolerance of five minutes keeps exchange tokens alive after their end',
    agedBy(-5 * MINUTE_MS),
  ],
});
