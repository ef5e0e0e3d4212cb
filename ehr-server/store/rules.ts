/** The rules that all engines apply to the rows that they read. */
import { MAX_FAILED_MATCHES } from '#protocol/limits.ts';
import type { Attempt, TokenRefusal } from './store.ts';

/** SQLite stores booleans as 0 and 1. */
type Flag = boolean | number;

/** The columns of an exchange token that the rules look at. */
export type TokenRow = {
  used: Flag;
  /** Whether its session has `MAX_PENDING_EXCHANGE_TOKENS` newer ones. */
  superseded: Flag;
  expires_at: number;
  failures: number;
  /** Failed matches within the last hour of its user, and of who is guessed: of the hash that has most. */
  user_failures: number;
  guessed_failures: number;
};

export type GuessedHashes = Record<'first' | 'second' | 'third', Uint8Array | null>;

/** The hashes of who is guessed, for a statement with a place for each. */
export function hashesOf({ guessed: [first, second, third] }: Attempt): GuessedHashes {
  return { first: first ?? null, second: second ?? null, third: third ?? null };
}

/** A failed match is one row for its user and the first hash. Further hashes have rows without a user. */
export function failureRows(user: string, { guessed }: Attempt): [user: string, hash: Uint8Array | null][] {
  const [first = null, ...further] = guessed;
  return [[user, first], ...further.map((hash): [string, Uint8Array] => [NO_USER, hash])];
}

/** The id of nobody: ids have at least one character. */
const NO_USER = '';

/** Why this exchange token cannot be used at `now`; undefined if it can (decisions 11, 13, 36 and 37). */
export function refusalOf(row: TokenRow | undefined, now: number, perHour: number): TokenRefusal | undefined {
  if (!row || row.used || row.superseded) return 'exchange_token_unknown';
  if (now >= row.expires_at) return 'exchange_token_expired';
  if (row.failures >= MAX_FAILED_MATCHES) return 'exchange_token_exhausted';
  return Math.max(row.user_failures, row.guessed_failures) >= perHour ? 'too_many_failed_matches' : undefined;
}

/**
 * Whether authenticate may open a stored session for `user`: the session belongs to this user and is alive,
 * or it has ended and has no holder (decision 21a).
 */
export function mayOpen(holder: string | undefined, expiresAt: number, user: string, now: number): boolean {
  return holder === undefined || (holder === user && now < expiresAt);
}
