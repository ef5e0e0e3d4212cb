/** Defects of an EHR server in what an exchange token opens, and in which patient the properties identify. */
import { matchQuery } from '#ehr-server/match-patient.ts';
import type { Attempt } from '#ehr-server/store/store.ts';
import { allPersonaPatients, propertiesOf } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { ANY, done, refused } from '../../../engine/defects/operators.ts';
import { type Members, no, reasonOf, withParams, yes } from '../../../engine/defects/rpc-call.ts';
import {
  AUTHENTICATE,
  acceptsRefused,
  after,
  around,
  before,
  both,
  cached,
  defect,
  type EhrTurn,
  inError,
  instead,
  LOG_OUT,
  matchesOnlyIf,
  patientFitting,
  pendingOf,
  propertiesIn,
  READ,
  refuses,
  success,
  withMis,
  withStore,
} from './changes.ts';

export const HOUR_MS = 3_600_000;

export const without = (name: 'name' | 'phone') =>
  withMis((mis) => ({
    match: (query) => mis.match(query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query),
  }));

const digits = (phone: unknown) => String(phone).replace(/\D/g, '');
/** Whether a server in another time zone reads the sent date as the day of a record. */
export const dayIn =
  (offsetMs: number) =>
  (sent: Members, { birthdate }: Patient) => {
    const instant = new Date(String(sent.date).replace(' ', 'T').replace(/Z?$/, 'Z'));
    return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10) === birthdate.slice(0, 10);
  };

type Fits = (sent: Members, patient: Patient) => boolean;

const unfit = refused(AUTHENTICATE, 'patient_not_matched', 'invalid_params');

const firstFitting = (turn: EhrTurn, ...rules: readonly Fits[]) =>
  allPersonaPatients.find((patient) => rules.every((fits) => fits(propertiesIn(turn), patient)));

/** Go on with the right properties of the first patient who fits loosely, where nobody fits exactly. */
const takesToo = (rules: readonly Fits[], others: Members = { searchStrategy: '', medCardId: '' }) =>
  after(unfit, async (turn) => {
    const found = firstFitting(turn, ...rules);
    const exactly = { patientProperties: found && propertiesOf(found), ...others };
    return found && ((await turn.next(withParams(turn.call, exactly))) ?? undefined);
  });

const text = (value: unknown) => String(value ?? '').toLowerCase();
const hasDay: Fits = ({ date }, { birthdate }) => text(date).slice(0, 10) === birthdate.slice(0, 10);
const hasPhone: Fits = ({ phone }, { phones }) => phones.includes(digits(phone));
const hasNames: Fits = ({ name, surname }, patient) =>
  text(name) === text(patient.name) && text(surname) === text(patient.surname);

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

const MINUTE_MS = 60_000;
const LOCK_MS = 5_000;

export const linkingDefects = [
  defect('exchange-token-alone-opens-nothing', 'announced-session-open', {
    title: 'The session of an exchange token is open before anybody has authenticated',
    ...after(refused(READ), ({ cred, seen }) => seen.isAnnounced(cred.token) && yes({ patient: null })),
  }),
  defect('no-patient-no-session', 'failed-match-opens', {
    title: 'An authenticate that fits nobody opens the session all the same',
    ...both(
      after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
        turn.seen.notes('tried').set(pendingOf(turn)?.token, true);
      }),
      after(refused(READ), ({ cred, seen }) => seen.notes('tried').has(cred.token) && yes({ patient: null })),
    ),
  }),
  defect('exchange-token-used-once', 'used-token-new-after-logout', {
    title: 'The logout of its session makes a used exchange token new',
    ...acceptsRefused(AUTHENTICATE, 'exchange_token_unknown', (turn) => {
      const { token } = pendingOf(turn) ?? {};
      return turn.seen.done(LOG_OUT).some(({ cred }) => cred.token === token);
    }),
  }),
  defect('foreign-session-not-opened', 'refusal-leaves-link', {
    title: 'A refused authenticate leaves its patient linked',
    ...around(AUTHENTICATE, async (turn) => {
      const held = turn.seen.notes<unknown>('held');
      const patient = (await patientFitting(turn))?.id;
      const holder = held.get(patient);
      if (holder !== undefined && holder !== pendingOf(turn)?.user) return no('patient_already_linked');
      const reply = await turn.next();
      if (reasonOf(reply) === 'token_already_stored') held.set(patient, pendingOf(turn)?.user);
      return reply;
    }),
  }),
  defect('refusal-locks-nobody', 'failed-match-locks-phone', {
    title: 'For five seconds after a failed match nobody links with the phone',
    ...around(AUTHENTICATE, async (turn) => {
      const locks = turn.seen.notes<number>('locks');
      const { phone } = propertiesIn(turn);
      const now = turn.parts.clock.now();
      if (now < (locks.get(phone) ?? 0)) return no('patient_not_matched');
      const reply = await turn.next();
      if (reasonOf(reply) === 'patient_not_matched') locks.set(phone, now + LOCK_MS);
      return reply;
    }),
  }),
  defect('exchange-token-used-once', 'used-token-replies-again', {
    title: 'A used exchange token is answered with the reply of its first use',
    ...cached(AUTHENTICATE, ({ params }) => params.exchangeToken),
  }),
  defect('exchange-token-opens-its-own-session', 'session-of-the-caller', {
    title: 'authenticate opens the session of the cred in the call',
    ...both(
      after(done(AUTHENTICATE), (turn) => {
        turn.seen.notes<unknown>('opened').set(turn.cred.token, pendingOf(turn));
      }),
      before(READ, ({ call, cred, seen }) => {
        const announced = cred.token !== undefined && seen.notes<unknown>('opened').get(cred.token);
        return Boolean(announced) && { ...call, cred: announced };
      }),
    ),
  }),
  defect('exchange-token-expires', 'exchange-token-fifteen-minutes', {
    title: 'A tolerance of five minutes keeps exchange tokens alive after their end',
    ...withStore((store) => {
      const younger = <A extends Attempt>(attempt: A) => ({ ...attempt, now: attempt.now - 5 * MINUTE_MS });
      return {
        refusalOf: (attempt) => store.refusalOf(younger(attempt)),
        link: (request) => store.link(younger(request)),
        countFailure: (attempt) => store.countFailure(younger(attempt)),
      };
    }),
  }),
  defect('ambiguous-not-matched', 'first-of-several', {
    title: 'Of two patients who fit the first is taken',
    ...withMis((mis) => ({ match: async (query) => (await mis.match(query)).slice(0, 1) })),
  }),
  defect('inactive-not-matched', 'inactive-matched', {
    title: 'An inactive patient matches',
    patients: (patients) => patients.map((patient) => ({ ...patient, active: true, isActive: true })),
  }),
  defect('inactive-not-matched', 'deceased-matched', {
    title: 'A deceased patient matches',
    patients: (patients) => patients.map((patient) => ({ ...patient, deceased: false })),
  }),
  defect('conditions-match-nobody', 'condition-as-property', {
    title: 'A property that is an object or a list fits everybody',
    ...instead(AUTHENTICATE, async (turn) => {
      const sent = Object.entries(propertiesIn(turn));
      const plain = sent.filter(([, value]) => typeof value !== 'object');
      if (plain.length === sent.length) return undefined;
      const params = { ...turn.params, patientProperties: Object.fromEntries(plain) };
      const parts = { ...turn.parts, rules: { ...turn.parts.rules, matchingRequired: [] } };
      return (await patientFitting({ params, parts })) ? success(turn) : no('patient_not_matched');
    }),
  }),
  defect('params-of-authenticate', 'params-in-any-shape', {
    title: 'Patient properties given as a list are read from its first element',
    ...before(
      AUTHENTICATE,
      ({ call, params: { patientProperties: sent } }) =>
        Array.isArray(sent) && withParams(call, { patientProperties: sent[0] }),
    ),
  }),
  defect('field-client-served', 'string-ids-refused', {
    title: 'A call whose id is a text is refused',
    ...refuses(ANY, 'invalid_request', ({ call }) => typeof call.id === 'string'),
  }),
  defect('every-property-counts', 'name-not-compared', {
    title: 'The name is not compared',
    ...without('name'),
  }),
  defect('every-property-counts', 'phone-not-compared', {
    title: 'The phone is not compared',
    ...without('phone'),
  }),
  defect('patients-found-as-written', 'midnight-as-day-before', {
    title: 'The date is turned to another time zone, and midnight is the day before',
    ...matchesOnlyIf(dayIn(-3 * HOUR_MS)),
  }),
  defect('mismatches-refused-alike', 'wrong-property-named', {
    title: 'The refusal says which property does not fit',
    ...after(unfit, (turn) => {
      const isOfDay = firstFitting(turn, hasPhone, hasDay);
      const other = isOfDay ? 'The name is another.' : 'The day of birth is another.';
      return inError(turn.reply, {
        message: firstFitting(turn, hasPhone) ? other : 'Nobody has this phone.',
      });
    }),
  }),
  defect('mismatches-refused-alike', 'several-told', {
    title: 'The refusal says that several patients fit',
    ...after(unfit, async (turn) => {
      const { mis, rules } = turn.parts;
      const query = matchQuery(turn.params as Parameters<typeof matchQuery>[0], rules.matchingRequired);
      const isSeveral = (await mis.match(query)).length > 1;
      return isSeveral && inError(turn.reply, { message: 'Several patients fit.' });
    }),
  }),
  defect('every-property-counts', 'name-as-expression', {
    title: 'The name that is sent is taken for a regular expression',
    ...takesToo([
      ({ name }, patient) => new RegExp(`^${text(name)}$`).test(text(patient.name)),
      ({ surname }, patient) => text(surname) === text(patient.surname),
      hasDay,
      hasPhone,
    ]),
  }),
  defect('like-names-match-nobody', 'names-by-beginning', {
    title: 'A name fits by its beginning',
    ...takesToo([beginsAlike, hasDay, hasPhone]),
  }),
  defect('names-in-their-places', 'names-in-either-place', {
    title: 'Name and surname fit in the place of each other',
    ...takesToo([
      ({ name, surname }, patient) => hasNames({ name: surname, surname: name }, patient),
      hasDay,
      hasPhone,
    ]),
  }),
  defect('like-phones-match-nobody', 'phone-by-last-seven', {
    title: 'A phone fits by its last seven digits',
    ...takesToo([
      ({ phone }, { phones }) => phones.some((known) => known.slice(-7) === digits(phone).slice(-7)),
      hasNames,
      hasDay,
    ]),
  }),
  defect('like-days-match-nobody', 'year-not-compared', {
    title: 'Of the day of birth the year is not compared',
    ...takesToo([
      ({ date }, { birthdate }) => text(date).slice(4, 10) === birthdate.slice(4, 10),
      hasNames,
      hasPhone,
    ]),
  }),
  defect('day-and-month-in-their-places', 'day-and-month-guessed', {
    title: 'Day and month fit in the place of each other',
    ...takesToo([
      hasNames,
      hasPhone,
      ({ date }, { birthdate }) => {
        const [year, month, day] = text(date).slice(0, 10).split('-');
        return `${year}-${day}-${month}` === birthdate.slice(0, 10);
      },
    ]),
  }),
  defect('empty-properties-match-nobody', 'empty-fits-everybody', {
    title: 'A property that is empty fits everybody',
    ...takesToo([emptyFits]),
  }),
  defect('few-properties-match-nobody', 'phone-suffices', {
    title: 'A phone alone finds its patient',
    ...takesToo([({ name, phone }, patient) => name === undefined && hasPhone({ phone }, patient)]),
  }),
  defect('few-properties-match-nobody', 'empty-names-fit', {
    title: 'Empty names fit whoever has the phone and the day of birth',
    ...takesToo([({ name, surname }) => name === '' && surname === '', hasDay, hasPhone]),
  }),
  defect('like-cards-match-nobody', 'card-without-phone', {
    title: 'A medical card finds its patient whatever the phone',
    ...takesToo([
      ({ medCardId }, { medcardNumber }) => text(medCardId) !== '' && text(medCardId) === text(medcardNumber),
    ]),
  }),
  defect('like-cards-match-nobody', 'card-by-beginning', {
    title: 'A medical card fits by its beginning',
    ...takesToo(
      [
        ({ medCardId }, { medcardNumber }) =>
          text(medCardId) !== '' && text(medcardNumber).startsWith(text(medCardId)),
      ],
      {},
    ),
  }),
];
