/** Secrets at rest and in comparison: hashed where they are stored, compared so that the time tells nothing of where they differ. */
import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The digest of §5.1 and §5.2 as `digest` of the protocol computes it, by Node's own SHA-1: on the path of every save. */
export function digestOf(password: string, secret: string): string {
  return hash('sha1', password + secret, 'hex');
}

type Pair = { readonly left: Buffer; readonly right: Buffer; readonly fits: number };

/** Room for two texts: no text of `fits` UTF-16 units is longer than this in UTF-8, at three bytes a unit. */
const pairOf = (bytes: number): Pair => ({
  left: Buffer.alloc(bytes),
  right: Buffer.alloc(bytes),
  fits: Math.floor(bytes / 3),
});
/** Nearly all names, and all digests, have room here. */
const SHORT = pairOf(192);
const LONG = pairOf(2_048);

/**
 * Compares two texts. How long it takes tells neither where they differ nor how long the other one is, but for whether
 * it is beyond 64 characters, or 682: both are compared over the same number of bytes, which costs less than a hash of
 * each.
 */
export function sameText(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length);
  if (longer <= SHORT.fits) return isSame(a, b, SHORT);
  if (longer <= LONG.fits) return isSame(a, b, LONG);
  return timingSafeEqual(hashToken(a), hashToken(b));
}

function isSame(a: string, b: string, { left, right }: Pair): boolean {
  left.fill(0);
  right.fill(0);
  const lengths = [left.write(a), right.write(b)];
  const areBytes = timingSafeEqual(left, right);
  // A text may end in the very bytes that the shorter one is filled up with.
  return areBytes && lengths[0] === lengths[1];
}
