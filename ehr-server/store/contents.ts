/** What a store holds, as JSON: for the control port, and for the demo in one page. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Store } from './store.ts';

/** The most rows of each kind that are listed. */
const MAX_ROWS = 500;

/**
 * Returns `{ sessions: [{ tokenHash, user, patientId, expiresAt }], exchangeTokens: [{ hash, user, expiresAt,
 * failures }], links: [{ user, patientId }] }`, hashes in hexadecimal.
 */
export async function contentsInHex(store: Pick<Store, 'contents'>) {
  const { sessions, exchangeTokens, links } = await store.contents(MAX_ROWS);
  return {
    sessions: sessions.map((row) => ({ ...row, tokenHash: bytesToHex(row.tokenHash) })),
    exchangeTokens: exchangeTokens.map((row) => ({ ...row, hash: bytesToHex(row.hash) })),
    links,
  };
}
