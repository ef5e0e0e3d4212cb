/** The calls of a client, and what stands in them. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';

export const EHR_METHODS = {
  read: 'patient.get_patient',
  authenticate: 'embedded_storage.authenticate',
  logOut: 'embedded_storage.remove_auth_info',
  disconnect: 'embedded_storage.remove_authentication',
} as const;

/** The calls that end a session, also that of an earlier sign-in. */
export const ENDINGS: ReadonlySet<unknown> = new Set([
  ...[EHR_METHODS.logOut, EHR_METHODS.disconnect],
  ...['auth.logout', 'auth.delete_user'],
]);

/** The call in a body; a batch of one is taken for its call. */
export function callIn(body: string): Record<string, unknown> | undefined {
  const value = tryJson(body)?.value;
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value];
  return isObject(only) ? only : undefined;
}

/** The digits without an extension; a leading 8 of 11 digits is a 7. */
export const digitsOf = (phone: string) =>
  phone
    .replace(/(x|ext).*$/i, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');
