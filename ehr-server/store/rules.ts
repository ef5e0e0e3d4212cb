/** What both engines decide about a row that they have read. */
import { MAX_FAILURES, type TokenRefusal } from './store.ts';

/** Of SQLite, booleans are 0 and 1. */
type Flag = boolean | number;

/** An exchange token as it is judged. */
export type TokenRow = {
  used: Flag;
  /** Whether as many newer ones of its session were stored as may be pending. */
  overtaken: Flag;
  expires_at: number;
  failures: number;
  /** Failed matches of its user within the last hour, and of the phone of the attempt. */
  user_failures: number;
  phone_failures: number;
};

/** Why this exchange token cannot be used at `now`; undefined when it can (decisions 11, 13, 36 and 37). */
export function refusalOf(row: TokenRow | undefined, now: number, perHour: number): TokenRefusal | undefined {
  if (!row || row.used || row.overtaken) return 'exchange_token_unknown';
  if (now >= row.expires_at) return 'exchange_token_expired';
  if (row.failures >= MAX_FAILURES) return 'exchange_token_exhausted';
  return Math.max(row.user_failures, row.phone_failures) >= perHour ? 'too_many_failed_matches' : undefined;
}

/** Whether authenticate may open for `user` a stored session of this `holder`: it is his and alive, or it has ended and is nobody's (decision 21a). */
export function mayOpen(holder: string | undefined, expiresAt: number, user: string, now: number): boolean {
  return holder === undefined || (holder === user && now < expiresAt);
}
