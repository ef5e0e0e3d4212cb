/** What the store in memory has, as the control port shows it. */
import { hexToBytes } from '@noble/hashes/utils.js';
import type { MemoryRows } from './memory-rows.ts';
import type { Contents, Link } from './store.ts';

/** Returns at most `limit` rows of each kind that have not ended. */
export function contentsOf(rows: MemoryRows, limit: number): Contents {
  const sessions = [...rows.sessions].flatMap(([key, session]) => {
    const link = rows.linkOf(session);
    return link ? [{ tokenHash: hexToBytes(key), ...withoutSign(link), expiresAt: session.expiresAt }] : [];
  });
  const exchangeTokens = [...rows.exchangeTokens].flatMap(
    ([key, { session, expiresAt, failures, isUsed }]) =>
      isUsed ? [] : [{ hash: hexToBytes(key), user: session.user, expiresAt, failures }],
  );
  return {
    sessions: sessions.sort(byExpiry).slice(0, limit),
    exchangeTokens: exchangeTokens.sort(byExpiry).slice(0, limit),
    links: [...rows.links.values()]
      .sort((a, b) => (a.user < b.user ? -1 : 1))
      .slice(0, limit)
      .map(withoutSign),
  };
}

/** Orders rows by their expiry, the latest first. */
function byExpiry(a: { expiresAt: number }, b: { expiresAt: number }): number {
  return b.expiresAt - a.expiresAt;
}

function withoutSign({ user, patientId }: Link): Contents['links'][number] {
  return { user, patientId };
}
