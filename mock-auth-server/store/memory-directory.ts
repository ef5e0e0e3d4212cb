/** The users of the store in memory, and what the directory has of them. */
import { keyOf, type Memory, type Tables } from './memory-tables.ts';
import type { Directory } from './store.ts';

export function directoryIn(memory: Memory): Directory {
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
