/** What a store holds now, for people who watch it: neither a token nor a signature in clear. */
import type { TokenHash } from './store.ts';

/** Sessions and exchange tokens that have not ended, expired or not, those that expire last first. */
export type Contents = {
  sessions: { tokenHash: TokenHash; user: string; patientId: string; expiresAt: number }[];
  exchangeTokens: { hash: TokenHash; user: string; expiresAt: number; failures: number }[];
  /** In the order of their users. */
  links: { user: string; patientId: string }[];
};
