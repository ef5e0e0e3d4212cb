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

/** Whether authenticate may open this stored session for `user`: it is his and alive, or it was ended by him or another (decision 21a). */
export function mayOpen(stored: { ended: Flag; user: string; expires_at: number }, user: string, now: number): boolean {
  return Boolean(stored.ended) || (stored.user === user && now < stored.expires_at);
}
