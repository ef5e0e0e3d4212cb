/** Changes of how patients are compared, for the defects of matching. */
import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import {
  AUTHENTICATE,
  answering,
  inCalls,
  inReplies,
  type Members,
  patientFitting,
  propertiesIn,
  reasonOf,
  refusal,
  success,
  type WireCall,
  withParams,
} from '../messages/messages.ts';
import { matchesOnlyIf, searchesBy } from '../parts.ts';

const NAMES = ['name', 'surname'] as const;
export const HOUR_MS = 3_600_000;

/** Each property that a search by phone looks at. */
export const without = (name: 'name' | 'surname' | 'day' | 'phone' | 'gender') =>
  searchesBy((query): MatchQuery => (query.strategy === 'PHONE' ? { ...query, [name]: undefined } : query));

/** Compares names after another folding, or none. */
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
  inCalls((call) => {
    if (call.method !== AUTHENTICATE) return call;
    const { searchStrategy, medCardId, ...patientProperties } = change(propertiesIn(call));
    return withParams(call, { patientProperties, searchStrategy, medCardId });
  });

export const isDate = (pattern: RegExp) => (sent: Members) => pattern.test(String(sent.date));

/** Takes a condition in the place of a property, as a database does. */
export const takesConditions = answering(() => async (call, tools) => {
  const { rules } = tools.parts;
  const sent = propertiesIn(call);
  const plain = Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value !== 'object'));
  if (call.method !== AUTHENTICATE || Object.keys(plain).length === Object.keys(sent).length) return tools.next();
  const query = withParams(call, { patientProperties: plain });
  const fitting = await patientFitting(query, { ...tools.parts, rules: { ...rules, matchingRequired: [] } });
  return fitting ? success(call, tools.parts) : refusal(call, 'patient_not_matched');
});

export const onlyWhereRefused = (reason: string, answer: (call: WireCall) => Members | null) =>
  inReplies((reply, call) =>
    call.method === AUTHENTICATE && reasonOf(reply) === reason ? (answer(call) ?? reply) : reply,
  );
