/** Reads what a JSON Web Token says of its user. Its signature is the business of those who issue it. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';

export function claimsOf(token: string): Record<string, unknown> | undefined {
  const [, claims = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  const read = tryJson(Buffer.from(claims, 'base64url').toString())?.value;
  return isObject(read) ? read : undefined;
}
