/** The digest that proves a call on the internal channel (§5.1, §5.2), computed alike by both ends. */
import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What `cred.token` of an internal call looks like: 40 lowercase hexadecimal characters. */
export const DIGEST_SHAPE = /^[0-9a-f]{40}$/;

/**
 * SHA-1 over the internal password followed at once by `secret`, both as UTF-8: `user_sign` for `save_auth_info`
 * (§5.1), the exchange token for `save_exchange_token` (§5.2).
 * @returns 40 lowercase hexadecimal characters
 * @example digest('internal-password', userSign)
 */
export function digest(password: string, secret: string): string {
  return bytesToHex(sha1(utf8ToBytes(password + secret)));
}
