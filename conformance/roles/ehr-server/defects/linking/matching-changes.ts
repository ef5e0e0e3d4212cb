/** Changes of how patients are compared, for the defects of matching. */
import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { type Members, no, withParams } from '../../../../engine/defects/rpc-call.ts';
import {
  before,
  instead,
  matchesOnlyIf,
  patientFitting,
  propertiesIn,
  searchesBy,
  success,
} from '../changes.ts';
import { AUTHENTICATE } from '../methods.ts';

const NAMES = ['name', 'surname'] as const;
export const HOUR_MS = 3_600_000;

/** Leave one property out of a search by phone. */
export const without = (name: 'name' | 'surname' | 'day' | 'phone' | 'gender') =>
  searchesBy((query): MatchQuery => (query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query));

/** Compare names after another folding, or none. */
export const comparesNames = (fold: (name: string) => string) =>
  matchesOnlyIf((sent, patient) =>
    NAMES.every((name) => sent[name] === undefined || fold(String(sent[name])) === fold(patient[name])),
  );

export const digits = (phone: unknown) => String(phone).replace(/\D/g, '');
export const hasPhone =
  (change: (phone: string) => string) =>
  (sent: Members, { phones }: Patient) =>
    sent.phone === undefined || phones.some((phone) => change(String(sent.phone)) === phone);

/** The calendar day of an instant that was read in the zone of the server. */
export const dayIn =
  (offsetMs: number) =>
  (sent: Members, { birthdate }: Patient) => {
    const instant = new Date(String(sent.date).replace(' ', 'T').replace(/Z?$/, 'Z'));
    return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10) === birthdate.slice(0, 10);
  };

export const changesProperties = (change: (sent: Members) => Members) =>
  before(AUTHENTICATE, (turn) => {
    const { searchStrategy, medCardId, ...patientProperties } = change(propertiesIn(turn));
    return withParams(turn.call, { patientProperties, searchStrategy, medCardId });
  });

export const isDate = (pattern: RegExp) => (sent: Members) => pattern.test(String(sent.date));

/** Take a condition in the place of a property, as a database does. */
export const takesConditions = instead(AUTHENTICATE, async (turn) => {
  const sent = Object.entries(propertiesIn(turn));
  const plain = sent.filter(([, value]) => typeof value !== 'object');
  if (plain.length === sent.length) return undefined;
  const params = { ...turn.params, patientProperties: Object.fromEntries(plain) };
  const parts = { ...turn.parts, rules: { ...turn.parts.rules, matchingRequired: [] } };
  return (await patientFitting({ params, parts })) ? success(turn) : no('patient_not_matched');
});
