/**
 * Defects of an EHR server in matching: how it reads the properties of authenticate, and which patient they
 * identify. A key is the check that must find the defects below it. A text `id: title` begins a defect; its
 * change of the right server follows.
 */

import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { refused } from '../../../../engine/defects/operators.ts';
import { type Members, no, withParams, yes } from '../../../../engine/defects/rpc-call.ts';
import {
  after,
  before,
  instead,
  matchesOnlyIf,
  patientFitting,
  propertiesIn,
  refusesForm,
  searchesBy,
  success,
  withMis,
} from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE } from '../methods.ts';
export const HOUR_MS = 3_600_000;

/** Search without one of the properties, except in a search by medical card. */
const without = (name: 'name' | 'surname' | 'day' | 'phone' | 'gender') =>
  searchesBy((query): MatchQuery => (query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query));

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
  'every-property-counts': [
    'name-not-compared: The name is not compared',
    without('name'),
    'phone-not-compared: The phone is not compared',
    without('phone'),
  ],
  'forms-of-date': ['date-of-iso-refused: A date with T is refused', refusesForm(isDate(/T/))],
  'empty-means-absent': [
    'empty-strategy-refused: An empty searchStrategy is refused',
    refusesForm(({ searchStrategy }) => searchStrategy === ''),
  ],
  'medcard-strategy': [
    'card-without-search: A search by MEDCARD is refused as one without a card',
    refusesForm(({ searchStrategy }) => searchStrategy === 'MEDCARD'),
  ],
  'patients-found-as-written': [
    'midnight-as-day-before: The date is turned to another time zone, and midnight is the day before',
    matchesOnlyIf(dayIn(-3 * HOUR_MS)),
  ],
});
