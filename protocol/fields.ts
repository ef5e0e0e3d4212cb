/** The fields that several methods share (§2.3 to §2.6), each with the limit that holds for it. */
import { z } from 'zod';
import { dayKey, GENDERS, phoneKey } from '#protocol/matching.ts';

const NO_CONTROL = /^[^\p{Cc}]*$/u;

/** A string of 1 to `max` characters without control characters. */
export function text(max: number) {
  return z.string().min(1).max(max).regex(NO_CONTROL, 'must not contain control characters');
}

/** A sentence-for-humans error instead of zod's echo of a pattern. */
export const phone = text(40).refine(
  (value) => phoneKey(value) !== undefined,
  'must be a phone number of 5 to 15 digits',
);

const day = text(40).refine(
  (value) => dayKey(value) !== undefined,
  'must be a day of the calendar, written YYYY-MM-DD hh:mm:ss.mmm, in ISO 8601, or as the date alone',
);

const gender = z.literal(Object.values(GENDERS), 'must be 0 (male), 1 (female), 2 (other) or 3 (unknown)');

/** The session record of §2.3. `ttl` counts minutes unless the servers are set to seconds; `created` is recorded and decides nothing. */
export const authInfo = z.object({
  user: text(256).describe('Identifier of the end user'),
  token: text(512).describe('Session token of the end user, unique across the system'),
  ttl: z.int().min(1).describe('Lifetime of the session record, in minutes (setting ttlUnit)'),
  created: z
    .union([z.string().max(64), z.number()])
    .nullish()
    .describe('When the sender made the record; decides nothing'),
});

/** The exchange token of §2.4. */
export const exchangeToken = text(512).describe('Exchange token, alive for ten minutes');

/** How a patient is searched: by name, date and phone, or by medical card number and phone. */
export const searchStrategy = z.enum(['PHONE', 'MEDCARD']);

/** The input of authenticate (§2.5). Which of them are required is a setting of the server. */
export const patientProperties = z.object({
  name: text(200).optional().describe('Given name'),
  surname: text(200).optional().describe('Family name'),
  date: day.optional().describe('Date of birth; only the calendar day as written counts'),
  gender: gender.optional().describe('0 male, 1 female, 2 other, 3 unknown'),
  phone: phone.optional().describe('Phone number, digits; separators are removed'),
  searchStrategy: searchStrategy.nullish(),
  medCardId: text(64).nullish().describe('Medical card number, for the MEDCARD strategy'),
});

export type PatientProperties = z.output<typeof patientProperties>;

/** A patient record as it goes on the wire (§2.6, decision 29). */
export const patient = z.object({
  id: z.string(),
  active: z.boolean(),
  surname: z.string(),
  middleName: z.string().nullable(),
  name: z.string(),
  phones: z.array(z.string()),
  email: z.string().nullable(),
  gender,
  birthdate: z.iso.date(),
  deceased: z.boolean(),
  maritalStatus: z.string().nullable(),
  photo: z.string().nullable().describe('A data URL'),
  familyMembers: z.array(z.object({ relation: z.string(), surname: z.string(), name: z.string() })),
  address: z.string().nullable(),
  medcardNumber: z.string().nullable(),
  insurances: z.array(z.object({ company: z.string(), number: z.string(), validUntil: z.iso.date() })),
});

export type Patient = z.output<typeof patient>;

/** The reply of authenticate and get_patient: the record, and the signature under both names that clients read. */
export const patientReply = z.object({ patient, user_sign: z.string(), userSign: z.string() });

export const recordId = z.object({ id: z.string().describe('Opaque id of the stored record') });

export const nothing = z.object({});
