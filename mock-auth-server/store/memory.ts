/** The store in memory: for tests, and for mocks in a browser. A transaction that throws is undone. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import {
  type Codes,
  type Directory,
  deleteUserFrom,
  type Entry,
  type Identity,
  MAX_CODES,
  MAX_MESSAGES,
  type Messages,
  type NewSession,
  type Sendings,
  type SentCode,
  type Sessions,
  type Store,
  type StoredMessage,
} from './store.ts';

export function memoryStore(): Store {
  const memory: Memory = { tables: emptyTables() };
  const parts = {
    directory: directoryIn(memory),
    codes: codesIn(memory),
    sendings: sendingsIn(memory),
    sessions: sessionsIn(memory),
    messages: messagesIn(memory),
  };
  const atomically = <T>(change: () => T): T => {
    const before = copyOf(memory.tables);
    try {
      return change();
    } catch (error) {
      memory.tables = before;
      throw error;
    }
  };
  return {
    ...parts,
    atomically,
    deleteUser: (user) => deleteUserFrom(parts, user),
    rows: {
      keep() {
        const kept = copyOf(memory.tables);
        return () => {
          memory.tables = copyOf(kept);
        };
      },
      clear() {
        memory.tables = emptyTables();
      },
    },
    check: () => undefined,
    close: () => undefined,
  };
}

function sessionsIn(memory: Memory): Sessions {
  return {
    find(tokenHash) {
      const session = memory.tables.sessions.get(bytesToHex(tokenHash));
      return session && session.endedAt === undefined
        ? { user: session.user, expiresAt: session.expiresAt }
        : undefined;
    },
    add: ({ tokenHash, ...session }) =>
      void memory.tables.sessions.set(bytesToHex(tokenHash), { ...session, endedAt: undefined }),
    list: (limit) =>
      [...memory.tables.sessions]
        .filter(([, { endedAt }]) => endedAt === undefined)
        .map(([key, { user, expiresAt }]) => ({ tokenHash: hexToBytes(key), user, expiresAt }))
        .sort((a, b) => b.expiresAt - a.expiresAt)
        .slice(0, limit),
    end(tokenHash, now) {
      const key = bytesToHex(tokenHash);
      const session = memory.tables.sessions.get(key);
      if (!session || session.endedAt !== undefined) return false;
      memory.tables.sessions.set(key, { ...session, endedAt: now });
      return true;
    },
    purge: (before, limit) =>
      deleteOld(memory.tables.sessions, ({ endedAt, expiresAt }) => (endedAt ?? expiresAt) < before, limit),
  };
}

function messagesIn(memory: Memory): Messages {
  let lastId = 0;
  return {
    add({ kind, value }, text, code, at) {
      const { messages } = memory.tables;
      const id = ++lastId;
      messages.set(id, { id, kind, to: value, text, code, at });
      messages.delete(id - MAX_MESSAGES);
    },
    list: (to, after = 0) =>
      [...memory.tables.messages.values()]
        .filter(
          (message) => message.id > after && (!to || (message.kind === to.kind && message.to === to.value)),
        )
        .map(({ kind: _kind, ...message }) => message)
        .reverse(),
    remove({ kind, value }) {
      const { messages } = memory.tables;
      for (const [id, message] of messages)
        if (message.kind === kind && message.to === value) messages.delete(id);
    },
  };
}

type User = { identity: Identity; createdAt: number };
type KeptSession = Omit<NewSession, 'tokenHash'> & { endedAt: number | undefined };
type KeptMessage = StoredMessage & { kind: Identity['kind'] };

/** The rows by their keys. A row is replaced and never changed, so that a copy of the maps keeps a state. */
type Tables = {
  /** By public user id. */
  users: Map<string, User>;
  entries: Map<string, Entry>;
  /** By kind and value of the identity. */
  userOf: Map<string, string>;
  codes: Map<string, SentCode>;
  /** By recipient: the times of the codes, oldest first. */
  sendings: Map<string, readonly number[]>;
  /** By the hash of the token. */
  sessions: Map<string, KeptSession>;
  /** By id, oldest first. */
  messages: Map<number, KeptMessage>;
};

/** The parts of the store look at the tables of this moment. */
type Memory = { tables: Tables };

function emptyTables(): Tables {
  return {
    users: new Map(),
    entries: new Map(),
    userOf: new Map(),
    codes: new Map(),
    sendings: new Map(),
    sessions: new Map(),
    messages: new Map(),
  };
}

function copyOf(tables: Tables): Tables {
  const copies = Object.entries(tables).map(([name, rows]) => [name, new Map(rows as Map<unknown, unknown>)]);
  return Object.fromEntries(copies) as Tables;
}

/** The key of the rows that an identity has one of. */
const keyOf = ({ kind, value }: Identity) => `${kind}:${value}`;

/** Delete at most `limit` rows that are old. Returns their number. */
function deleteOld<Key, Row>(rows: Map<Key, Row>, isOld: (row: Row) => boolean, limit: number): number {
  const old = [...rows].filter(([, row]) => isOld(row)).slice(0, limit);
  for (const [key] of old) rows.delete(key);
  return old.length;
}

function directoryIn(memory: Memory): Directory {
  const setSign = (user: string, userSign: string | null): boolean => {
    const { entries } = memory.tables;
    const entry = entries.get(user);
    if (entry) entries.set(user, { ...entry, userSign });
    return entry !== undefined;
  };
  return {
    ensureUser({ user, identity, internalId, now }) {
      const { users, entries, userOf } = memory.tables;
      const known = userOf.get(keyOf(identity));
      if (known !== undefined) return known;
      users.set(user, { identity: { ...identity }, createdAt: now });
      userOf.set(keyOf(identity), user);
      if (internalId !== undefined) entries.set(user, { internalId, userSign: null });
      return user;
    },
    userOf: (identity) => memory.tables.userOf.get(keyOf(identity)),
    identityOf: (user) => memory.tables.users.get(user)?.identity,
    entryOf: (user) => memory.tables.entries.get(user),
    keepUserSign: setSign,
    replaceUserSign(user, seen, userSign) {
      if (memory.tables.entries.get(user)?.userSign === seen) setSign(user, userSign);
    },
    removeEntry: (user) => memory.tables.entries.delete(user),
    removeUser(user) {
      const { users, entries, userOf, sessions } = memory.tables;
      const known = users.get(user);
      if (!known) return;
      users.delete(user);
      entries.delete(user);
      userOf.delete(keyOf(known.identity));
      for (const [key, session] of sessions) if (session.user === user) sessions.delete(key);
    },
    listEntries: () => listEntries(memory.tables),
  };
}

function listEntries({ users, entries }: Tables) {
  const inOrder = [...users].sort(
    ([a, { createdAt: atA }], [b, { createdAt: atB }]) => atA - atB || (a < b ? -1 : 1),
  );
  return inOrder.flatMap(([user, { identity: attribute }]) => {
    const entry = entries.get(user);
    return entry
      ? [{ user, attribute, internalId: entry.internalId, userSignOnRecord: entry.userSign !== null }]
      : [];
  });
}

function codesIn(memory: Memory): Codes {
  let lastSeq = 0;
  const bySeq = (seq: number) => [...memory.tables.codes].find(([, code]) => code.seq === seq);
  return {
    find: (attribute) => memory.tables.codes.get(keyOf(attribute)),
    put(attribute, { salt, hash }, sentAt, expiresAt) {
      const { codes } = memory.tables;
      const seq = ++lastSeq;
      // Deleted first, so that the codes stay in the order of sending.
      codes.delete(keyOf(attribute));
      codes.set(keyOf(attribute), { seq, salt, hash, sentAt, expiresAt, failures: 0 });
      for (const [key, code] of codes) {
        if (code.seq > seq - MAX_CODES) break;
        if (code.expiresAt <= sentAt) codes.delete(key);
      }
      for (const code of codes.values()) if (code.expiresAt > sentAt) return seq - code.seq;
      return 0;
    },
    countFailure(seq) {
      const [key, code] = bySeq(seq) ?? [];
      if (key !== undefined && code) memory.tables.codes.set(key, { ...code, failures: code.failures + 1 });
    },
    consume(seq) {
      const [key] = bySeq(seq) ?? [];
      return key !== undefined && memory.tables.codes.delete(key);
    },
    remove: (identity) => void memory.tables.codes.delete(keyOf(identity)),
    purge: (before, limit) => deleteOld(memory.tables.codes, ({ expiresAt }) => expiresAt < before, limit),
  };
}

function sendingsIn(memory: Memory): Sendings {
  const of = (recipient: Uint8Array) => memory.tables.sendings.get(bytesToHex(recipient)) ?? [];
  return {
    add: (recipient, now) => void memory.tables.sendings.set(bytesToHex(recipient), [...of(recipient), now]),
    since(recipient, time, now) {
      const times = of(recipient).filter((at) => at > time && at < 2 * now - time);
      const past = times.filter((at) => at <= now);
      return { count: times.length, last: past.length === 0 ? null : Math.max(...past) };
    },
    purge(before, limit) {
      let purged = 0;
      for (const [recipient, times] of memory.tables.sendings) {
        const kept = times.filter((at) => at >= before || purged++ >= limit);
        if (kept.length > 0) memory.tables.sendings.set(recipient, kept);
        else memory.tables.sendings.delete(recipient);
      }
      return Math.min(purged, limit);
    },
  };
}
