/** The store in memory: for tests, and for mocks in a browser. A transaction that throws is undone. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { codesIn, sendingsIn } from './memory-codes.ts';
import { directoryIn } from './memory-directory.ts';
import { copyOf, deleteOld, emptyTables, type Memory } from './memory-tables.ts';
import { MAX_MESSAGES, type Messages, type Sessions, type Store } from './store.ts';

export function memoryStore(): Store {
  const memory: Memory = { tables: emptyTables() };
  const directory = directoryIn(memory);
  const codes = codesIn(memory);
  const messages = messagesIn(memory);
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
    directory,
    codes,
    sendings: sendingsIn(memory),
    sessions: sessionsIn(memory),
    messages,
    atomically,
    deleteUser(user) {
      const identity = directory.identityOf(user);
      if (!identity) return;
      codes.remove(identity);
      messages.remove(identity);
      directory.removeUser(user);
    },
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
