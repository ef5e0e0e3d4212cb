/** The parts that a method works with. They contain no transport, and run in a browser too. */
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import type { EhrConfig } from './config.ts';
import type { Mis } from './mis/mis.ts';
import type { Link, Store, TokenHash } from './store/store.ts';

/** The settings that the methods look at. */
export type EhrRules = Pick<
  EhrConfig,
  | 'apiVersion'
  | 'internalPassword'
  | 'internalUser'
  | 'matchingRequired'
  | 'maxTtl'
  | 'medcard'
  | 'recordAfterAuthenticate'
  | 'replyId'
  | 'ttlUnit'
>;

export type Context = { store: Store; mis: Mis; clock: Clock; random: Random; config: EhrRules };

/**
 * The verified caller: a linked user, identified by the token of a session or by the signature of the link.
 * The members are empty if the call names no linked user.
 */
export type Caller = { link: Link; tokenHash: TokenHash };
