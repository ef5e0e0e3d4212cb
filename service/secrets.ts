/** Hashes secrets for the store and compares them in constant time. */
import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/**
 * The digest of §5.1 and §5.2, equal to `digest` of the protocol. It uses Node's own SHA-1, because every
 * save computes it.
 */
export function digestOf(password: string, secret: string): string {
  return hash('sha1', password + secret, 'hex');
}

/** Compare two texts by their hashes, so that the time does not reveal where they differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b));
}
