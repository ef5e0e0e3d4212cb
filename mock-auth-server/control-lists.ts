/** What the harness sees of a server, and removes there: entries and sessions. Runs in a browser too. */

import { bytesToHex } from '@noble/hashes/utils.js';
import { readAttribute } from './otp/attribute.ts';
import type { Directory, EntrySummary, Sessions } from './store/store.ts';

export type Correspondence = {
  list(): EntrySummary[];
  /** False: there is no such entry. The user stays and gets no new one. */
  remove(user: string): boolean;
};

export function openCorrespondence(directory: Directory): Correspondence {
  return {
    list: () => directory.listEntries(),
    remove(user) {
      const attribute = readAttribute(user);
      const owner = attribute && directory.userOf(attribute);
      return directory.removeEntry(owner ?? user);
    },
  };
}

/** The most sessions that are listed. */
const MAX_SESSIONS = 500;

/** Returns `[{ tokenHash, user, expiresAt }]`, the hash in hexadecimal. */
export function listSessions(sessions: Pick<Sessions, 'list'>) {
  return sessions.list(MAX_SESSIONS).map((row) => ({ ...row, tokenHash: bytesToHex(row.tokenHash) }));
}
