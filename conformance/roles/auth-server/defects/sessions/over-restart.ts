/** Defects in what a restart brings back: ended sessions and users, used codes, renewed lifetimes. */

import { TTL_UNIT_MS } from '#protocol/limits.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { withContext } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

const keyOf = (tokenHash: Uint8Array) => Buffer.from(tokenHash).toString('hex');

export const overRestartDefects: readonly Defect[] = [
  withContext(
    'correspondence-in-memory',
    'A restart forgets the correspondence table',
    'linked-users-admitted-after-restart',
    (context) => {
      const { directory } = context.store;
      const { ensureUser, entryOf } = directory;
      const listed = new Set<string>();
      directory.ensureUser = (about) => {
        const user = ensureUser(about);
        if (user === about.user) listed.add(user);
        return user;
      };
      directory.entryOf = (user) => (listed.has(user) ? entryOf(user) : undefined);
      return context;
    },
  ),
  withContext('logout-in-memory', 'A restart forgets logouts', 'logout-kept-over-restart', (context) => {
    const ended = new Set<string>();
    const { sessions } = context.store;
    const { find } = sessions;
    sessions.find = (hash) => (ended.has(keyOf(hash)) ? undefined : find(hash));
    sessions.end = (hash) => find(hash) !== undefined && Boolean(ended.add(keyOf(hash)));
    return context;
  }),
  withContext('deletion-in-memory', 'A restart forgets deletions', 'deletion-kept-over-restart', (context) => {
    const deleted = new Set<string>();
    const { find } = context.store.sessions;
    context.store.deleteUser = (user) => void deleted.add(user);
    context.store.sessions.find = (hash) => {
      const session = find(hash);
      return session && deleted.has(session.user) ? undefined : session;
    };
    return context;
  }),
  withContext(
    'used-code-in-memory',
    'A restart forgets which codes were used',
    'used-code-kept-over-restart',
    (context) => {
      const used = new Set<string>();
      return {
        ...context,
        codes: {
          ...context.codes,
          claim(attribute, code) {
            const key = `${attribute.value} ${code}`;
            if (used.has(key)) throw new RpcError('otp_wrong');
            return { ...context.codes.claim(attribute, code), consume: () => void used.add(key) };
          },
        },
      };
    },
  ),
  withContext(
    'sessions-renewed-at-start',
    'A restart gives every session its whole life again',
    'session-end-kept-over-restart',
    (context) => {
      const [opened, startedAt] = [new Set<string>(), context.clock.now()];
      const { sessions } = context.store;
      const { find, add } = sessions;
      sessions.add = (session) => {
        opened.add(keyOf(session.tokenHash));
        add(session);
      };
      sessions.find = (hash) => {
        const session = find(hash);
        if (!session || opened.has(keyOf(hash))) return session;
        return { ...session, expiresAt: startedAt + context.config.sessionTtl * TTL_UNIT_MS[context.config.ttlUnit] };
      };
      return context;
    },
  ),
  onShape('challenge', 'logout-not-stored', 'logout-kept-over-restart'),
  onShape('challenge', 'deletion-not-stored', 'deletion-kept-over-restart'),
  onShape('challenge', 'used-code-not-stored', 'used-code-kept-over-restart'),
  onShape('challenge', 'sessions-renewed-at-start', 'session-end-kept-over-restart'),
];
