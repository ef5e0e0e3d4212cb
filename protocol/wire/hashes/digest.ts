/** The digest that proves a call on the internal channel (§5.1, §5.2). Both ends compute it the same way. */
import { hashes } from './hashes.ts';

/** The form of `cred.token` in an internal call: 40 lowercase hexadecimal characters. */
export const DIGEST_SHAPE = /^[0-9a-f]{40}$/;

/**
 * Compute SHA-1 of the internal password followed directly by `secret`, both as UTF-8. The secret is
 * `user_sign` for `save_auth_info` (§5.1), and the exchange token for `save_exchange_token` (§5.2).
 * @returns 40 lowercase hexadecimal characters
 * @example digest('internal-password', userSign)
 */
export function digest(password: string, secret: string): string {
  return hashes.sha1(password + secret);
}
