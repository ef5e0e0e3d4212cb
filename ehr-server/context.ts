/** What a method is given to work with: plain values, no transport. */
import { createHmac } from 'node:crypto';
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import type { EhrConfig } from './config.ts';
import type { Mis } from './mis/mis.ts';
import type { Link, Store, TokenHash } from './store/store.ts';

export { digestOf, hashToken, sameText } from '#service/secrets.ts';

/**
 * A phone as failed matches are counted by it. The internal password is the key, so that the file alone does not tell
 * phones: they are few enough to try.
 */
export function hashPhone(internalPassword: string, phoneKey: string): Buffer {
  return createHmac('sha256', internalPassword).update(phoneKey).digest();
}

export type Context = { store: Store; mis: Mis; clock: Clock; random: Random; config: EhrConfig };

/** Who calls, as far as the credentials have been verified: a linked user, by his session's token or by the link's signature, or nobody, with empty members. */
export type Caller = { link: Link; tokenHash: TokenHash };
