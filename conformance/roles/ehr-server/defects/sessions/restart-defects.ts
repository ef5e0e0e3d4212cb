/** Defects that show over a restart: what was acknowledged is gone, or what was ended is back. */
import { memoryStore } from '#ehr-server/store/memory.ts';
import type { Store } from '#ehr-server/store/store.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';

/** What a store that forgets puts in the place of its own functions, until the next restart. */
type Kept = { store: Store; forget(): void };

const forgetting = (create: (store: Store) => Kept): EhrChange => {
  const kept = new WeakMap<Store, Kept>();
  return {
    parts({ store }) {
      const made = create(store);
      kept.set(made.store, made);
      return { store: made.store };
    },
    forget(parts) {
      kept.get(parts.store)?.forget();
      return parts;
    },
  };
};

/** Keeps one kind of rows in memory: after a restart they are not found. */
const losesSessions = forgetting((store) => {
  let isNew = new Set<string>();
  let isLost = new Set<string>();
  const findSession: Store['findSession'] = (hash) => {
    isNew.add(String(hash));
    return isLost.has(String(hash)) ? undefined : store.findSession(hash);
  };
  return {
    store: {
      ...store,
      findSession,
      saveSession: (session, ...rest) => {
        isNew.add(String(session.tokenHash));
        return store.saveSession(session, ...rest);
      },
    },
    forget() {
      isLost = isNew;
      isNew = new Set();
    },
  };
});

const losesExchangeTokens = forgetting((store) => {
  const saved = new Set<string>();
  const lost = new Set<string>();
  const isLost = (hash: Uint8Array) => lost.has(String(hash));
  return {
    store: {
      ...store,
      saveExchangeToken: (token, now) => {
        saved.add(String(token.hash));
        return store.saveExchangeToken(token, now);
      },
      refusalOf: (attempt) => (isLost(attempt.exchangeToken) ? 'exchange_token_unknown' : store.refusalOf(attempt)),
    },
    forget() {
      for (const hash of saved) lost.add(hash);
    },
  };
});

/** Ends sessions in memory alone: after a restart they are back. */
const endsInMemory = (method: 'removeSession' | 'removeUser'): EhrChange =>
  forgetting((store) => {
    const ended = new Set<string>();
    return {
      store: {
        ...store,
        findSession: (hash) => (ended.has(String(hash)) ? undefined : store.findSession(hash)),
        [method]: async (hash: Uint8Array) => {
          ended.add(String(hash));
          return true;
        },
      },
      forget: () => ended.clear(),
    };
  });

/** Keeps the count of failed matches in memory: after a restart each exchange token has all its attempts. */
const forgetsFailures = forgetting((store) => {
  let ahead = new Map<string, number>();
  const MOST = 5;
  return {
    store: {
      ...store,
      refusalOf: async (attempt) => {
        const refused = await store.refusalOf(attempt);
        return refused === 'exchange_token_exhausted' ? undefined : refused;
      },
      countFailure: async (attempt) => {
        const key = String(attempt.exchangeToken);
        const failures = (ahead.get(key) ?? 0) + 1;
        ahead.set(key, failures);
        return failures > MOST ? store.countFailure(attempt) : undefined;
      },
    },
    forget() {
      ahead = new Map();
    },
  };
});

/** Knows in memory alone which session tokens were ended: after a restart they are saved anew. */
const forgetsEnded = forgetting((store) => {
  let isForgotten = false;
  return {
    store: {
      ...store,
      saveSession: async (session, ...rest) => {
        const outcome = await store.saveSession(session, ...rest);
        return isForgotten && 'refused' in outcome ? { id: 'again' } : outcome;
      },
    },
    forget() {
      isForgotten = true;
    },
  };
});

/** Uses exchange tokens up in memory: after a restart they are saved anew. */
const forgetsUsed = forgetting((store) => {
  let isForgotten = false;
  return {
    store: {
      ...store,
      saveExchangeToken: async (token, now) => {
        const outcome = await store.saveExchangeToken(token, now);
        return isForgotten && 'refused' in outcome ? { id: 'again' } : outcome;
      },
    },
    forget() {
      isForgotten = true;
    },
  };
});

export const restartDefects: readonly EhrDefect[] = [
  {
    id: 'failures-in-memory',
    title: 'The failed matches of an exchange token are forgotten at a restart',
    change: forgetsFailures,
    caughtBy: 'failures-kept-over-restart',
    seenIn: ['margince/margince#495', 'imuniqueshiv/MeetOnMemory#322'],
  },
  {
    id: 'ended-tokens-forgotten',
    title: 'After a restart the token of a session that was logged out is saved once more',
    change: forgetsEnded,
    caughtBy: 'ended-tokens-taken-over-restart',
  },
  {
    id: 'exchange-tokens-forgotten',
    title: 'After a restart an exchange token that was used is saved once more',
    change: forgetsUsed,
    caughtBy: 'ended-over-restart',
  },
  {
    id: 'all-in-memory',
    title: 'Links, sessions and exchange tokens are gone after a restart',
    change: { forget: (parts) => ({ ...parts, store: memoryStore() }) },
    caughtBy: 'kept-over-restart',
  },
  {
    id: 'sessions-in-memory',
    title: 'Sessions are gone after a restart',
    change: losesSessions,
    caughtBy: 'kept-over-restart',
  },
  {
    id: 'exchange-tokens-in-memory',
    title: 'Exchange tokens are gone after a restart',
    change: losesExchangeTokens,
    caughtBy: 'kept-over-restart',
  },
  {
    id: 'logout-in-memory',
    title: 'A session that was logged out is back after a restart',
    change: endsInMemory('removeSession'),
    caughtBy: 'ended-over-restart',
  },
  {
    id: 'disconnect-in-memory',
    title: 'A link that was removed is back after a restart, with its session',
    change: endsInMemory('removeUser'),
    caughtBy: 'ended-over-restart',
  },
];
