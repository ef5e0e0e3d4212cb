/**
 * Masks messages before they are shown. Member names are kept; only values known to be harmless are shown.
 */
import { isObject } from '#protocol/wire/envelope.ts';

/** Replaces a value that is not shown. */
export const MASK = '••••';

/**
 * Members whose values reveal nothing about anybody: the envelope, the error and the counts of the two method
 * tables.
 */
const SHOWN_MEMBERS = new Set([
  ...['jsonrpc', 'id', 'method', 'message', 'reason', 'errors'],
  ...['ttl', 'linked', 'digits', 'expiresIn', 'resendAfter', 'searchStrategy'],
]);

/**
 * Members with long random values. Their last characters are shown, so that a reader can see that two are
 * equal.
 */
const TAILED_MEMBERS = new Set(['token', 'exchangeToken', 'user_sign', 'userSign', 'ehr_user_sign']);

/** Members whose whole content is masked: everything about a patient. */
const PATIENT_MEMBERS = new Set(['patient', 'patientProperties']);

/** Minimum length of a secret whose last characters are shown: the tail would give a shorter one away. */
const MIN_TAILED_CHARS = 16;
const TAIL_CHARS = 4;

/**
 * Returns a copy of a request or reply that may be shown: secrets as `••••abcd`, patient data and unknown
 * values as `••••`.
 */
export function mask(message: unknown): unknown {
  return maskMember('', message, 'envelope');
}

/** Returns the names of the patient properties in a message, such as `name` and `date`. */
export function patientFields(message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap(patientFields);
  if (!isObject(message)) return [];
  return Object.entries(message).flatMap(([name, value]) => {
    if (PATIENT_MEMBERS.has(name) && isObject(value))
      return Object.keys(value).filter((field) => field !== 'searchStrategy');
    return name === 'medCardId' ? [name] : patientFields(value);
  });
}

type MaskedPart = 'envelope' | 'error' | 'patient' | 'other';

function maskMember(name: string, value: unknown, place: MaskedPart): unknown {
  if (Array.isArray(value)) return value.map((item) => maskMember(name, item, place));
  if (isObject(value)) {
    const inside = placeOf(name, place);
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, maskMember(member, inner, inside)]),
    );
  }
  if (isShown(name, place)) return value;
  if (
    place !== 'patient' &&
    TAILED_MEMBERS.has(name) &&
    typeof value === 'string' &&
    value.length >= MIN_TAILED_CHARS
  ) {
    return MASK + value.slice(-TAIL_CHARS);
  }
  return MASK;
}

function placeOf(name: string, place: MaskedPart): MaskedPart {
  if (place === 'patient' || PATIENT_MEMBERS.has(name)) return 'patient';
  if (name === '') return 'envelope';
  // The members of an error, and of the EHR's error inside it. There, `code` is a number; elsewhere it is a
  // secret.
  if (name === 'error' || place === 'error') return 'error';
  return 'other';
}

function isShown(name: string, place: MaskedPart): boolean {
  if (place === 'patient') return name === 'searchStrategy';
  return SHOWN_MEMBERS.has(name) || (place === 'error' && name === 'code');
}
