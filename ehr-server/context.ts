/** What a method is given to work with: plain values, no transport. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import type { EhrConfig } from './config.ts';
import type { Mis } from './mis/mis.ts';
import type { Store, TokenHash } from './store/store.ts';

export type Context = { store: Store; mis: Mis; clock: Clock; random: Random; config: EhrConfig };

/** Who calls, as far as the credentials have been verified: the holder of a session, a linked user's signature, or nobody. */
export type Caller = { user: string; tokenHash: TokenHash; userSign: string };

/** SHA-256 of a token: the only form in which tokens are stored and looked up. */
export function hashToken(token: string): TokenHash {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Compares two texts of public length without telling by time where they differ. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b));
}
