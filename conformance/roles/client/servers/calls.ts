/** The methods of the EHR server that a client calls; reads calls and phones out of messages. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';

export const EHR_METHODS = {
  read: 'patient.get_patient',
  authenticate: 'embedded_storage.authenticate',
  logOut: 'embedded_storage.remove_auth_info',
  disconnect: 'embedded_storage.remove_authentication',
} as const;

export const REMOVALS = [EHR_METHODS.logOut, EHR_METHODS.disconnect] as const;

export const isRemoval = (method: unknown): boolean => REMOVALS.some((each) => each === method);

/** A client may also call them for the session of an earlier sign-in. */
export const ENDINGS: ReadonlySet<unknown> = new Set([...REMOVALS, ...['auth.logout', 'auth.delete_user']]);

/** Codes of the EHR server for a caller without a live session, or without a usable exchange token. */
export const NOT_AUTHENTICATED: ReadonlySet<unknown> = new Set([-33000, -33001, -33002]);

/** The JSON-RPC call or reply in a body, also where it is alone in a batch; undefined for anything else. */
export function callIn(body: string): Record<string, unknown> | undefined {
  const value = tryJson(body)?.value;
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value];
  return isObject(only) ? only : undefined;
}

/** Without its extension. A leading 8 of 11 digits is the Russian way to write the 7. */
export const digitsOf = (phone: string) =>
  phone
    .replace(/(x|ext).*/is, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');

export type Callee = 'auth' | 'ehr';

/** Each is judged by a check of its own, in flows/every-step. */
export type MessageRule =
  | 'post-json'
  | 'path'
  | 'envelope'
  | 'id'
  | 'method'
  | 'method-text'
  | 'params'
  | 'params-form'
  | 'cred'
  | 'no-cred'
  | 'authenticate-params'
  | 'names'
  | 'date'
  | 'date-form'
  | 'phone'
  | 'gender'
  | 'removal-params'
  | 'exchange-token'
  | 'user-sign'
  | 'user-sign-unknown'
  | 'user-sign-of-person'
  | 'code'
  | 'code-typed'
  | 'ehr-words'
  | 'over';

export const labelOf = (rule: MessageRule): string => `message ${rule}`;

/** `what` is without any value of a patient. */
export type MessageFault = { rule: MessageRule; method: string; what: string };

export type Add = (rule: MessageRule, isRight: boolean, what: string) => void;

/** Of a text its first 40 characters, each digit as 9 and each letter as a: a report must not show it. */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return `"${value.slice(0, 40).replace(/\d/g, '9').replace(/\p{L}/gu, 'a')}"`;
}
