/** The parts that a method works with. They contain no transport, and run in a browser too. */
import type { TTL_UNIT_MS } from '#protocol/limits.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { ReplyId } from '#protocol/wire/envelope.ts';
import type { Mis } from './mis/mis.ts';
import type { Link, Store, TokenHash } from './store/store.ts';

/** The settings that the methods look at. */
export type EhrRules = {
  /** Version segment of the endpoint. */
  apiVersion: string;
  internalUser: string;
  internalPassword: string;
  /** The patient properties that must be sent. */
  matchingRequired: readonly ('name' | 'surname' | 'date' | 'phone' | 'gender')[];
  /** The largest ttl accepted, in its unit. Undefined: ten years. */
  maxTtl?: number | undefined;
  /** Whether patients are searched by medical card, too. */
  medcard: boolean;
  /** Whether the first save_auth_info of a session that authenticate opened succeeds (decision 14). */
  recordAfterAuthenticate: 'once' | 'never';
  replyId: ReplyId;
  ttlUnit: keyof typeof TTL_UNIT_MS;
};

export type Context = { store: Store; mis: Mis; clock: Clock; random: Random; config: EhrRules };

/**
 * The verified caller: a linked user, identified by the token of a session or by the signature of the link.
 * The members are empty if the call names no linked user.
 */
export type Caller = { link: Link; tokenHash: TokenHash };

/** The settings of the methods unless somebody sets others: for servers without a command line. */
export const DEFAULT_RULES = {
  matchingRequired: ['name', 'surname', 'date', 'phone'],
  maxTtl: undefined,
  medcard: true,
  recordAfterAuthenticate: 'once',
  replyId: 'string',
  ttlUnit: 'minutes',
} satisfies Partial<EhrRules>;
