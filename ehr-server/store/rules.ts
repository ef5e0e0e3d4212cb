/** What both engines decide about a row that they have read. */
import { MAX_FAILURES, type TokenRefusal } from './store.ts';

/** Of SQLite, booleans are 0 and 1. */
type Flag = boolean | number;

/** Why this exchange token cannot be used at `now`; undefined when it can (decisions 11, 13). */
export function refusalOf(
  row: { used: Flag; expires_at: number; failures: number } | undefined,
  now: number,
): TokenRefusal | undefined {
  if (!row || row.used) return 'exchange_token_unknown';
  if (now >= row.expires_at) return 'exchange_token_expired';
  return row.failures >= MAX_FAILURES ? 'exchange_token_exhausted' : undefined;
}

/** Whether authenticate may open for `user` a stored session of this `holder`: it is his and alive, or it has ended and is nobody's (decision 21a). */
export function mayOpen(holder: string | undefined, expiresAt: number, user: string, now: number): boolean {
  return holder === undefined || (holder === user && now < expiresAt);
}
