/** Secrets by their hashes, and texts compared without telling by time where they differ. */
import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** No text of {@link FITTING} UTF-16 units is longer than this in UTF-8, at three bytes a unit. */
const BYTES = 2_048;
const FITTING = Math.floor(BYTES / 3);
const left = Buffer.alloc(BYTES);
const right = Buffer.alloc(BYTES);

/**
 * Compares two texts. How long it takes tells neither where they differ nor how long the other one is: both are
 * compared over the same number of bytes, which costs less than a hash of each.
 */
export function sameText(a: string, b: string): boolean {
  if (a.length > FITTING || b.length > FITTING) return timingSafeEqual(hashToken(a), hashToken(b));
  left.fill(0);
  right.fill(0);
  const lengths = [left.write(a), right.write(b)];
  const isSame = timingSafeEqual(left, right);
  // A text may end in the very bytes that the shorter one is filled up with.
  return isSame && lengths[0] === lengths[1];
}
