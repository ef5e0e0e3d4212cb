/** Masks what crossed the wire before it is shown: names of members stay, and only values known to be harmless do. */
import { isObject } from '#protocol/envelope.ts';

/** What stands for a value that is not shown. */
export const MASK = '••••';

/** Members whose values tell nothing about anybody: the envelope, the error and the counts of the two method tables. */
const SHOWN = new Set([
  ...['jsonrpc', 'id', 'method', 'message', 'reason', 'errors'],
  ...['ttl', 'linked', 'digits', 'expiresIn', 'resendAfter', 'searchStrategy'],
]);

/** Long random values whose last characters let a reader see that two of them are the same. */
const TAIL_SHOWN = new Set(['token', 'exchangeToken', 'user_sign', 'userSign', 'ehr_user_sign']);

/** Inside these nothing is shown at all: everything there is about a patient. */
const PATIENT_MEMBERS = new Set(['patient', 'patientProperties']);

/** A secret shorter than this would be given away by its tail. */
const LONG_ENOUGH = 16;
const TAIL = 4;

/** A copy of a request or reply that may be shown: secrets as `••••abcd`, patient data as `••••`, unknown values too. */
export function mask(message: unknown): unknown {
  return maskMember('', message, 'envelope');
}

/** The names of the patient properties in a message, such as `name` and `date`; empty when it carries none. */
export function patientFields(message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap(patientFields);
  if (!isObject(message)) return [];
  return Object.entries(message).flatMap(([name, value]) => {
    if (PATIENT_MEMBERS.has(name) && isObject(value))
      return Object.keys(value).filter((field) => field !== 'searchStrategy');
    return name === 'medCardId' ? [name] : patientFields(value);
  });
}

type Place = 'envelope' | 'error' | 'patient' | 'other';

function maskMember(name: string, value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => maskMember(name, item, place));
  if (isObject(value)) {
    const inside = placeOf(name, place);
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, maskMember(member, inner, inside)]),
    );
  }
  if (isShown(name, place)) return value;
  if (place !== 'patient' && TAIL_SHOWN.has(name) && typeof value === 'string' && value.length >= LONG_ENOUGH) {
    return MASK + value.slice(-TAIL);
  }
  return MASK;
}

function placeOf(name: string, place: Place): Place {
  if (place === 'patient' || PATIENT_MEMBERS.has(name)) return 'patient';
  if (name === '') return 'envelope';
  // The members of an error, and of the EHR's error inside it; `code` means a number there and a secret elsewhere.
  if (name === 'error' || place === 'error') return 'error';
  return 'other';
}

function isShown(name: string, place: Place): boolean {
  if (place === 'patient') return name === 'searchStrategy';
  return SHOWN.has(name) || (place === 'error' && name === 'code');
}
