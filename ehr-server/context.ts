/** What a method is given to work with: plain values, no transport. */
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import type { EhrConfig } from './config.ts';
import type { Mis } from './mis/mis.ts';
import type { Store, TokenHash } from './store/store.ts';

export { digestOf, hashToken, sameText } from '#service/secrets.ts';

export type Context = { store: Store; mis: Mis; clock: Clock; random: Random; config: EhrConfig };

/** Who calls, as far as the credentials have been verified: the holder of a session, a linked user's signature, or nobody. */
export type Caller = { user: string; tokenHash: TokenHash; userSign: string };
