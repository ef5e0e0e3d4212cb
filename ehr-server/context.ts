/** The parts that a method works with. They contain no transport. */
import { createHmac } from 'node:crypto';
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import type { EhrConfig } from './config.ts';
import type { Mis } from './mis/mis.ts';
import type { Link, Store, TokenHash } from './store/store.ts';

export { digestOf, hashToken, sameText } from '#service/secrets.ts';

/**
 * Hash a phone for counting failed matches. The internal password is the key: without it, the few possible
 * phones could be tried against the database file.
 */
export function hashPhone(internalPassword: string, phoneKey: string): Buffer {
  return createHmac('sha256', internalPassword).update(phoneKey).digest();
}

export type Context = { store: Store; mis: Mis; clock: Clock; random: Random; config: EhrConfig };

/**
 * The verified caller: a linked user, identified by the token of a session or by the signature of the link.
 * The members are empty if the call names no linked user.
 */
export type Caller = { link: Link; tokenHash: TokenHash };
