/** The sessions as they are told to the harness: at most 500, without secrets. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Sessions } from './store.ts';

const MAX_SESSIONS = 500;

/** Tells `[{ tokenHash, user, expiresAt }]`, the hash in hexadecimal. */
export function sessionsTold(sessions: Pick<Sessions, 'list'>) {
  return sessions.list(MAX_SESSIONS).map((row) => ({ ...row, tokenHash: bytesToHex(row.tokenHash) }));
}
