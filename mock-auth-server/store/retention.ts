/** How long the authorization server remembers what ran out (decision 12). */
import type { Purge } from '#service/purge.ts';
import type { Store } from './store.ts';

/** A code is remembered this long after it expired, so that a late user is told that it did. */
export const CODE_RETENTION = 60 * 60_000;
/** A sending is remembered for the day in which it counts. */
const SENDING_RETENTION = 86_400_000;
/** A session is remembered this long after its end, so that its holder is told that it expired. */
export const SESSION_RETENTION = 30 * 86_400_000;

/** What is purged from the store, and when. */
export function purgesOf({ codes, sendings, sessions }: Store): Purge[] {
  return [
    { retention: CODE_RETENTION, batch: codes.purge },
    { retention: SENDING_RETENTION, batch: sendings.purge },
    { retention: SESSION_RETENTION, batch: sessions.purge },
  ];
}
