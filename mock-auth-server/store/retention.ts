/** How long the authorization server remembers what ran out (decision 12). */
import type { Purge } from '#service/purge.ts';
import type { Store } from './store.ts';

/** A code is remembered this long after it expired, so that a late user is told that it did. */
export const CODE_RETENTION_MS = 60 * 60_000;
/** A sending is remembered for the day in which it counts. */
const SENDING_RETENTION_MS = 86_400_000;
/** A session is remembered this long after its end, so that its holder is told that it expired. */
export const SESSION_RETENTION_MS = 30 * 86_400_000;

/** What is purged from the store, and when. */
export function purgesOf({ codes, sendings, sessions }: Store): Purge[] {
  return [
    { retentionMs: CODE_RETENTION_MS, batch: codes.purge },
    { retentionMs: SENDING_RETENTION_MS, batch: sendings.purge },
    { retentionMs: SESSION_RETENTION_MS, batch: sessions.purge },
  ];
}
