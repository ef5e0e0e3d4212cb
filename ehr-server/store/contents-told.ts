/** What the store holds, as it is told to the harness: at most 500 rows of each kind, without secrets. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Store } from './store.ts';

/** The most rows of each kind that are listed. */
const MAX_ROWS = 500;

/**
 * Tells `{ sessions: [{ tokenHash, user, patientId, expiresAt }], exchangeTokens: [{ hash, user, expiresAt,
 * failures }], links: [{ user, patientId }] }`, hashes in hexadecimal.
 */
export async function contentsTold(store: Pick<Store, 'contents'>) {
  const { sessions, exchangeTokens, links } = await store.contents(MAX_ROWS);
  return {
    sessions: sessions.map((row) => ({ ...row, tokenHash: bytesToHex(row.tokenHash) })),
    exchangeTokens: exchangeTokens.map((row) => ({ ...row, hash: bytesToHex(row.hash) })),
    links,
  };
}
