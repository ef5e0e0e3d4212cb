/** The sessions as they are told to the harness: at most 500, without secrets. */
import { hexOf } from '#protocol/wire/bytes.ts';
import type { Sessions } from './store.ts';

/** The most sessions that are listed. */
const MAX_SESSIONS = 500;

/** Tells `[{ tokenHash, user, expiresAt }]`, the hash in hexadecimal. */
export function sessionsTold(sessions: Pick<Sessions, 'list'>) {
  return sessions.list(MAX_SESSIONS).map((row) => ({ ...row, tokenHash: hexOf(row.tokenHash) }));
}
