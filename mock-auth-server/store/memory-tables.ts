/** The tables of the store in memory. */
import type { Entry, Identity, NewSession, SentCode, StoredMessage } from './store.ts';

type User = { identity: Identity; createdAt: number };
type KeptSession = Omit<NewSession, 'tokenHash'> & { endedAt: number | undefined };
type KeptMessage = StoredMessage & { kind: Identity['kind'] };

/** The rows by their keys. A row is replaced and never changed, so that a copy of the maps keeps a state. */
export type Tables = {
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
export type Memory = { tables: Tables };

export function emptyTables(): Tables {
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

export function copyOf(tables: Tables): Tables {
  const copies = Object.entries(tables).map(([name, rows]) => [name, new Map(rows as Map<unknown, unknown>)]);
  return Object.fromEntries(copies) as Tables;
}

/** The key of the rows that an identity has one of. */
export const keyOf = ({ kind, value }: Identity) => `${kind}:${value}`;

/** Delete at most `limit` rows that are old. Returns their number. */
export function deleteOld<Key, Row>(
  rows: Map<Key, Row>,
  isOld: (row: Row) => boolean,
  limit: number,
): number {
  const old = [...rows].filter(([, row]) => isOld(row)).slice(0, limit);
  for (const [key] of old) rows.delete(key);
  return old.length;
}
