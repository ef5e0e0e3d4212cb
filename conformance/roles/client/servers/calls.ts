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

/** The JSON-RPC call or reply in a body, also where it is alone in a batch; undefined for anything else. */
export function callIn(body: string): Record<string, unknown> | undefined {
  const value = tryJson(body)?.value;
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value];
  return isObject(only) ? only : undefined;
}

/** Without its extension. A leading 8 of 11 digits is the Russian way to write the 7. */
export const digitsOf = (phone: string) =>
  phone
    .replace(/(x|ext).*$/i, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');
