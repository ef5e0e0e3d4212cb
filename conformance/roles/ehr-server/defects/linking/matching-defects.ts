/**
 * Defects of an EHR server in matching: how it reads the properties of authenticate, and which patient they
 * identify. A key is the check that must find the defects below it. A text `id: title` begins a defect; its
 * change of the right server follows, then `owner/repo#number` of public systems that had the defect.
 */

import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { refused } from '../../../../engine/defects/operators.ts';
import { type Members, no, withParams, yes } from '../../../../engine/defects/rpc-call.ts';
import {
  after,
  before,
  inError,
  instead,
  matchesOnlyIf,
  patientFitting,
  propertiesIn,
  refusesForm,
  searchesBy,
  success,
  withMis,
  withRules,
} from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE } from '../methods.ts';

/** The properties that are names. */
const NAMES = ['name', 'surname'] as const;
export const HOUR_MS = 3_600_000;

/** Search without one of the properties, except in a search by medical card. */
const without = (name: 'name' | 'surname' | 'day' | 'phone' | 'gender') =>
  searchesBy((query): MatchQuery => (query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query));

/** Compare names as `fold` writes them, where the right server ignores case, blanks and forms of Unicode. */
const comparesNames = (fold: (name: string) => string) =>
  matchesOnlyIf((sent, patient) =>
    NAMES.every((name) => sent[name] === undefined || fold(String(sent[name])) === fold(patient[name])),
  );

/** The digits of a phone as it was sent. */
export const digits = (phone: unknown) => String(phone).replace(/\D/g, '');
/**
 * Whether a record has the day of the sent date when a server in another time zone reads the date as an
 * instant.
 */
export const dayIn =
  (offsetMs: number) =>
  (sent: Members, { birthdate }: Patient) => {
    const instant = new Date(String(sent.date).replace(' ', 'T').replace(/Z?$/, 'Z'));
    return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10) === birthdate.slice(0, 10);
  };

/** Change the properties of authenticate before the right server reads them. */
const changesProperties = (change: (sent: Members) => Members) =>
  before(AUTHENTICATE, (turn) => {
    const { searchStrategy, medCardId, ...patientProperties } = change(propertiesIn(turn));
    return withParams(turn.call, { patientProperties, searchStrategy, medCardId });
  });

/** Whether the sent date has this form. */
export const isDate = (pattern: RegExp) => (sent: Members) => pattern.test(String(sent.date));

/**
 * Ignore properties that are objects, as a database does that takes them for conditions which everybody
 * meets.
 */
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
    'CodeForPhilly/paws-data-pipeline#308',
    'metriport/metriport#4467',
  ],
  'ambiguous-answered-like-nobody': [
    'several-told-apart: The answer says that several patients fit',
    after(refused(AUTHENTICATE, 'patient_not_matched'), async (turn) =>
      (await patientFitting(turn)) ? inError(turn.reply, { message: 'Several patients fit.' }) : undefined,
    ),
  ],
  'inactive-not-matched': [
    'inactive-matched: An inactive patient matches',
    { patients: (patients) => patients.map((patient) => ({ ...patient, active: true, deceased: false })) },
  ],
  'conditions-match-nobody': [
    'condition-as-property: A property that is an object or a list fits everybody',
    takesConditions,
    'KathiraveluLab/Beehive#484',
  ],
  'params-of-authenticate': [
    'params-in-any-shape: Patient properties given as a list are read from its first element',
    before(AUTHENTICATE, ({ call, params: { patientProperties } }) =>
      Array.isArray(patientProperties)
        ? withParams(call, { patientProperties: patientProperties[0] })
        : undefined,
    ),
    'faults-acknowledged: authenticate with wrong params is acknowledged',
    after(refused(AUTHENTICATE, 'invalid_params'), () => yes()),
  ],
  'field-client-served': [
    'string-ids-refused: A call whose id is a text is refused',
    instead(
      ({ call }) => typeof call.id === 'string',
      () => no('invalid_request'),
    ),
  ],
  'empty-params-taken': [
    'api-key-refused: A call with a member of the field is refused',
    instead(
      ({ call }) => 'apiKey' in call,
      () => no('invalid_request'),
    ),
  ],
  'every-property-counts': [
    'name-not-compared: The name is not compared',
    without('name'),
    'surname-not-compared: The surname is not compared',
    without('surname'),
    'day-not-compared: The day of birth is not compared',
    without('day'),
    'phone-not-compared: The phone is not compared',
    without('phone'),
  ],
  'gender-must-agree': [
    'gender-not-compared: gender is ignored',
    without('gender'),
    'gender-zero-ignored: A gender of 0 is taken for absent',
    changesProperties(({ gender, ...properties }) => (gender === 0 ? properties : { ...properties, gender })),
    'gender-of-two-codes: A gender other than 0 and 1 is refused as invalid_params',
    refusesForm(({ gender }) => Number(gender) > 1),
    'gender-required: gender is required',
    withRules({ matchingRequired: ['name', 'surname', 'date', 'phone', 'gender'] }),
  ],
  'required-properties': [
    'phone-not-required: A search without a phone is carried out',
    withRules({ matchingRequired: ['name', 'surname', 'date'] }),
    'day-not-required: A search without a day of birth is carried out',
    withRules({ matchingRequired: ['name', 'surname', 'phone'] }),
    'name-not-required: A search without a name is carried out',
    withRules({ matchingRequired: ['surname', 'date', 'phone'] }),
  ],
  'forms-of-date': [
    'date-of-iso-refused: A date with T is refused',
    refusesForm(isDate(/T/)),
    'date-with-z-refused: A date with a space and Z is refused',
    refusesForm(isDate(/ .*Z$/)),
  ],
  'short-dates': [
    'date-without-fraction-refused: A date without its fraction is refused',
    refusesForm(isDate(/ \d\d:\d\d:\d\d$/)),
    'day-alone-refused: A day without time is refused',
    refusesForm(isDate(/^.{10}$/)),
  ],
  'day-alone-compared': [
    'day-shifted-east: The day of a date is that of a zone in the east',
    matchesOnlyIf(dayIn(3 * HOUR_MS)),
    'msupply-foundation/mobile#4334',
    'medizininformatik-initiative/INTERPOLAR#528',
    'day-shifted-west: The day of a date is that of a zone in the west',
    matchesOnlyIf(dayIn(-5 * HOUR_MS)),
    'msupply-foundation/mobile#4334',
    'medizininformatik-initiative/INTERPOLAR#528',
  ],
  'names-in-any-case': [
    'names-by-letter: Names are compared with their capitals',
    comparesNames((name) => name.trim().normalize('NFC').replaceAll('ё', 'е')),
  ],
  'names-with-spaces': [
    'names-with-their-spaces: Names are compared with the spaces around them',
    comparesNames((name) => name.toLowerCase()),
  ],
  'names-with-wide-spaces': [
    'names-with-their-inner-spaces: Names are compared with each space inside them',
    comparesNames((name) => name.trim().toLowerCase().normalize('NFC').replaceAll('ё', 'е')),
  ],
  'names-across-unicode': [
    'decomposed-letters-differ: Composed and decomposed letters differ',
    comparesNames((name) => name.trim().toLowerCase()),
    'unmade/shelf-back#50',
    'uewepuep/FPVTracksideCore#75',
  ],
  'names-with-yo': [
    'yo-differs: In names ё and е differ',
    comparesNames((name) => name.trim().toLowerCase().normalize('NFC')),
  ],
  'empty-means-absent': [
    'empty-strategy-refused: An empty searchStrategy is refused',
    refusesForm(({ searchStrategy }) => searchStrategy === ''),
    'null-card-refused: A medCardId of null is refused',
    refusesForm(({ medCardId }) => medCardId === null),
    'gender-null-refused: A gender of null is refused',
    refusesForm(({ gender }) => gender === null),
  ],
  'medcard-strategy': [
    'card-without-search: A search by MEDCARD is refused as one without a card',
    refusesForm(({ searchStrategy }) => searchStrategy === 'MEDCARD'),
  ],
  'medcard-needs-card': [
    'phone-in-the-place-of-card: A search by MEDCARD without a card is one by phone',
    changesProperties((sent) => (sent.medCardId ? sent : { ...sent, searchStrategy: 'PHONE' })),
  ],
  'types-of-properties': [
    'numbers-as-texts: A phone that is a number is read as a text',
    changesProperties((sent) => ({
      ...sent,
      phone: typeof sent.phone === 'number' ? String(sent.phone) : sent.phone,
    })),
  ],
  'gender-codes': [
    'gender-beyond-table: A gender of no code is ignored',
    changesProperties(({ gender, ...sent }) =>
      [0, 1, 2, 3].includes(gender as number) ? { ...sent, gender } : sent,
    ),
  ],
});
