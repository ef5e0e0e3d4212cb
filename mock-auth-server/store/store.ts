/** The interface of the authorization server's store. Each change is complete when its call returns. */
import type { Attribute } from '../otp/attribute.ts';

/** The identity of a user: the phone or e-mail address that they proved to own, or a test login's name. */
export type Identity = Attribute | { kind: 'login'; value: string };

/** An entry of the correspondence table. `userSign` is null until the EHR server has linked the user. */
export type Entry = { internalId: string; userSign: string | null };

export type EntrySummary = {
  user: string;
  attribute: Identity;
  internalId: string;
  userSignOnRecord: boolean;
};

export type NewUser = {
  /** The public user id, if the user is new. */
  user: string;
  identity: Identity;
  /** The internal user id for the entry of a new user. Undefined: no entry is made. */
  internalId: string | undefined;
  now: number;
};

/** Users and the correspondence table (decision 18): public user id to internal user id and user_sign. */
export type Directory = {
  /** Returns the public id of the user, who is created if there is none. In a transaction. */
  ensureUser(newUser: NewUser): string;
  userOf(identity: Identity): string | undefined;
  identityOf(user: string): Identity | undefined;
  entryOf(user: string): Entry | undefined;
  keepUserSign(user: string, userSign: string): boolean;
  /** Replace the signature on record (null removes it), unless it has changed since `seen`. */
  replaceUserSign(user: string, seen: string | null, userSign: string | null): void;
  removeEntry(user: string): boolean;
  removeUser(user: string): void;
  listEntries(): EntrySummary[];
};

export type CodeHash = { salt: Uint8Array; hash: Uint8Array };

/** `seq` identifies this sending. Times are milliseconds on the server's clock. */
export type SentCode = CodeHash & { seq: number; sentAt: number; expiresAt: number; failures: number };

/** The most codes to keep besides those that still work: anybody may request codes for any phone. */
export const MAX_CODES = 10_000;

/** The newest one-time code of each phone or e-mail address, as a salted hash. */
export type Codes = {
  find(attribute: Attribute): SentCode | undefined;
  /** Store a code in place of the last one. Returns how many came after the oldest valid one. */
  put(attribute: Attribute, hash: CodeHash, sentAt: number, expiresAt: number): number;
  countFailure(seq: number): void;
  /** Use up the code. False: it was used, replaced or removed before. */
  consume(seq: number): boolean;
  remove(identity: Identity): void;
  purge(before: number, limit: number): number;
};

/** When a code was sent to each recipient: neither a confirmation nor a deletion shortens the pause. */
export type Sendings = {
  add(recipient: Uint8Array, now: number): void;
  /** How many codes were sent after `time`, and the last. Those that lie ahead count like those behind. */
  since(recipient: Uint8Array, time: number, now: number): { count: number; last: number | null };
  purge(before: number, limit: number): number;
};

export type Session = { user: string; expiresAt: number };

export type NewSession = Session & {
  tokenHash: Uint8Array;
  internalId: string | undefined;
  createdAt: number;
};

export type ListedSession = Session & { tokenHash: Uint8Array };

/** Sessions, found by the SHA-256 of their token. The token itself is never stored. */
export type Sessions = {
  /** Find a session that has not ended, expired or not. */
  find(tokenHash: Uint8Array): Session | undefined;
  add(session: NewSession): void;
  /** List at most `limit` sessions that have not ended, expired or not, those that expire last first. */
  list(limit: number): ListedSession[];
  /** End a session. False: it had ended already. */
  end(tokenHash: Uint8Array, now: number): boolean;
  purge(before: number, limit: number): number;
};

/** Only this many messages are kept: the newest ones. */
export const MAX_MESSAGES = 1_000;

/** `at` is in milliseconds on the server's clock; `to` is canonical. */
export type StoredMessage = { id: number; to: string; text: string; code: string; at: number };

/** The messages of the simulated SMS and e-mail delivery. They contain codes in clear, as on a phone. */
export type Messages = {
  add(to: Attribute, text: string, code: string, at: number): void;
  /** The messages to one recipient, or to all, sent after the message `after`, newest first. */
  list(to: Attribute | undefined, after?: number): StoredMessage[];
  remove(identity: Identity): void;
};

export type Store = {
  directory: Directory;
  codes: Codes;
  sendings: Sendings;
  sessions: Sessions;
  messages: Messages;
  /** Run `change` as one transaction: all of it is stored when this returns, none when it throws. */
  atomically<T>(change: () => T): T;
  /** Remove a user with their entry, sessions, pending code and messages. */
  deleteUser(user: string): void;
  /** Keep the rows of now; `keep` returns the function that puts them back. */
  rows: { keep(): () => void; clear(): void };
  /** Throws when the store cannot answer. */
  check(): void;
  close(): void;
};

/** Removes a user from the parts of a store; run it as one transaction. */
export function deleteUserFrom({ directory, codes, messages }: Parts, user: string): void {
  const identity = directory.identityOf(user);
  if (!identity) return;
  codes.remove(identity);
  messages.remove(identity);
  directory.removeUser(user);
}

type Parts = Pick<Store, 'directory' | 'codes' | 'messages'>;
