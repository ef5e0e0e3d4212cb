/** The fields that several methods share (§2.3 to §2.6), each with its limits. */
import { z } from 'zod';
import { MAX_TOKEN_CHARS } from '../limits.ts';
import { dayKey, GENDERS, phoneKey } from './matching.ts';

const NO_CONTROL = /^[^\p{Cc}]*$/u;

/** A string of 1 to `max` characters without control characters. Nothing else reads a longer one. */
export function text(max: number) {
  return z.string().min(1).max(max, { abort: true }).regex(NO_CONTROL, 'must not contain control characters');
}

/** A readable error in place of zod's, which repeats the pattern. */
export const phone = text(40).refine(
  (value) => phoneKey(value) !== undefined,
  'must be a phone number of 5 to 15 digits',
);

export const email = z.string().max(254, { abort: true }).check(z.email());

const day = text(40).refine(
  (value) => dayKey(value) !== undefined,
  'must be a day of the calendar, written YYYY-MM-DD hh:mm:ss.mmm, in ISO 8601, or as the date alone',
);

const gender = z.literal(Object.values(GENDERS), 'must be 0 (male), 1 (female), 2 (other) or 3 (unknown)');

/**
 * The session record of §2.3. `ttl` counts minutes unless the servers are set to seconds. `created` is
 * recorded and decides nothing.
 */
export const authInfo = z.object({
  user: text(256).describe('Identifier of the end user'),
  token: text(MAX_TOKEN_CHARS).describe('Session token of the end user, unique across the system'),
  ttl: z.int().min(1).describe('Lifetime of the session record, in minutes (setting ttlUnit)'),
  created: z
    .union([z.string().max(64), z.number()])
    .nullish()
    .describe('When the sender made the record; decides nothing'),
});

/** The exchange token of §2.4. */
export const exchangeToken = text(MAX_TOKEN_CHARS).describe('Exchange token, alive for ten minutes');

/** The search: by name, date and phone, or by medical card number and phone. Empty or null means absent. */
export const searchStrategy = z.enum(['PHONE', 'MEDCARD', ''], 'must be PHONE or MEDCARD').nullish();

/** A medical card number. Empty or null means absent. */
export const medCardId = z
  .string()
  .max(64, { abort: true })
  .regex(NO_CONTROL, 'must not contain control characters')
  .nullish()
  .describe('Medical card number, for the MEDCARD strategy');

/** The properties in a call of authenticate (§2.5). A setting of the server says which are required. */
export const patientProperties = z.object({
  name: text(200).optional().describe('Given name'),
  surname: text(200).optional().describe('Family name'),
  date: day.optional().describe('Date of birth; only the calendar day as written counts'),
  gender: gender.nullish().describe('0 male, 1 female, 2 other, 3 unknown'),
  phone: phone.optional().describe('Phone number, digits; separators are removed'),
  searchStrategy,
  medCardId,
});

export type PatientProperties = z.output<typeof patientProperties>;

/** Codes of maritalStatus on the wire (decision 33). */
export const MARITAL_STATUSES = {
  divorced: 0,
  married: 1,
  neverMarried: 2,
  unmarried: 3,
  widowed: 4,
  unknown: 5,
} as const;

const familyMember = z.object({
  type: z.int().min(0).max(9).describe('Kind of relation, as the clinic numbers them'),
  patientId: z.string(),
  relation: z.string().optional().describe('The relation in words, to be shown'),
  surname: z.string().optional(),
  name: z.string().optional(),
});

const insurance = z.object({
  companyId: z.string(),
  policyNumber: z.string(),
  period: z.object({ begin: z.iso.datetime(), end: z.iso.datetime() }),
  company: z.string().optional().describe('Name of the company, to be shown'),
});

/** A patient record on the wire (§2.6, decisions 29 and 33). */
export const patient = z.object({
  id: z.string(),
  created: z.iso.datetime().describe('When the record was made'),
  active: z.boolean(),
  isActive: z.boolean().describe('The same as active'),
  surname: z.string(),
  middleName: z.string().nullable(),
  name: z.string(),
  phones: z.array(z.string()),
  email: z.string().nullable(),
  gender,
  birthdate: z.iso.datetime().describe('Only its calendar day counts'),
  deceased: z.boolean(),
  maritalStatus: z
    .literal(Object.values(MARITAL_STATUSES))
    .describe('0 divorced, 1 married, 2 never married, 3 unmarried, 4 widowed, 5 unknown'),
  photo: z.string().nullable().describe('A data URL'),
  familyMembers: z.array(familyMember),
  address: z.string().nullable(),
  medcardNumber: z.string().nullable(),
  insurances: z.array(insurance),
});

export type Patient = z.output<typeof patient>;

/** The reply of authenticate and get_patient: the record, and the signature under both of its names. */
export const patientReply = z.object({ patient, user_sign: z.string(), userSign: z.string() });

export const recordId = z.object({ id: z.string().describe('Opaque id of the stored record') });

export const nothing = z.object({});
