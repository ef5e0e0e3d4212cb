/** Hashes secrets for the store and compares them in constant time. */
import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The digest of §5.1 and §5.2 as `digest` of the protocol computes it, by Node's own SHA-1: on the path of every save. */
export function digestOf(password: string, secret: string): string {
  return hash('sha1', password + secret, 'hex');
}

/** Compares two texts by their hashes, so that the time tells nothing of where they differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b));
}
