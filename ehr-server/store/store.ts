/**
 * The interface of the EHR server's store: sessions, exchange tokens, links, and the audit record of their
 * changes. Every change is atomic, recorded in the audit, and durable when its promise resolves.
 */

import type { MaybePromise } from '#protocol/methods/pipeline.ts';
import type { AuditQuery, AuditRange, AuditRecord } from './audit.ts';

/** SHA-256 of a token. Tokens are never stored in clear. */
export type TokenHash = Uint8Array;

/** An entry of the correspondence table: the user, the patient, and the signature of this link. */
export type Link = { user: string; patientId: string; userSign: string };

/**
 * A session belongs to its user's link and ends with it. All times are milliseconds since 1970-01-01 UTC on
 * the server's clock.
 */
export type Session = { link: Link; expiresAt: number };

/** A session to be stored: one that `save_auth_info` sends, or that an exchange token was announced with. */
export type NewSession = {
  tokenHash: TokenHash;
  user: string;
  /** Lifetime in milliseconds, counted from the moment the session is stored. */
  lifetime: number;
  /** When the sender made the record, as sent. It decides nothing (decision 10). */
  created: string | undefined;
  /** Opaque id of the record. */
  recordId: string;
};

export type NewExchangeToken = {
  hash: TokenHash;
  expiresAt: number;
  recordId: string;
  session: Omit<NewSession, 'recordId'>;
};

/** Why an exchange token cannot be used at this time. */
export type TokenRefusal =
  | 'exchange_token_unknown'
  | 'exchange_token_expired'
  | 'exchange_token_exhausted'
  | 'too_many_failed_matches';

/**
 * An attempt at `now` to identify a patient with an exchange token. `guessed` has at most three keyed
 * hashes: of the phone, or of what else tells who is guessed.
 */
export type Attempt = { exchangeToken: TokenHash; guessed: readonly Uint8Array[]; now: number };

export type SaveSessionOutcome = { id: string } | { refused: 'token_already_stored' | 'user_unknown' };
export type SaveExchangeTokenOutcome =
  | { id: string }
  | { refused: 'exchange_token_already_stored' | 'token_already_stored' };
export type LinkOutcome =
  | { userSign: string }
  | { refused: TokenRefusal | 'token_already_stored' | 'patient_already_matched' | 'patient_already_linked' };

export type LinkRequest = Attempt & {
  patientId: string;
  /** The signature of a new link. An existing link keeps its own (decision 15). */
  newUserSign: string;
  recordId: string;
};

/**
 * What a store holds now, for people who watch it: neither a token nor a signature in clear. Sessions and
 * exchange tokens are those that have not ended, expired or not, those that expire last first.
 */
export type Contents = {
  sessions: { tokenHash: TokenHash; user: string; patientId: string; expiresAt: number }[];
  exchangeTokens: { hash: TokenHash; user: string; expiresAt: number; failures: number }[];
  /** In the order of their users. */
  links: { user: string; patientId: string }[];
};

/** `mayRecord` is false where the setting recordAfterAuthenticate is `never` (decision 14). */
export type SaveRules = { mayRecord: boolean };

/** A store. Its reads may answer at once (memory, SQLite) or later (a database server). */
export type Store = {
  /** Find a session that has not ended, expired or not, with the link that it belongs to. */
  findSession(tokenHash: TokenHash): MaybePromise<Session | undefined>;
  findLink(user: string): MaybePromise<Link | undefined>;
  /** Why the exchange token cannot be used; undefined if it can. */
  refusalOf(attempt: Attempt): MaybePromise<TokenRefusal | undefined>;

  /**
   * Store a session of a linked user whose signature is still `userSign` (§4.1). A token that is stored
   * already is refused, but for one case: `authenticate` stored it, it was not saved since, and `mayRecord`.
   */
  saveSession(
    session: NewSession,
    userSign: string,
    now: number,
    rules: SaveRules,
  ): Promise<SaveSessionOutcome>;
  /** Store an exchange token (§4.2, decision 21a). */
  saveExchangeToken(token: NewExchangeToken, now: number): Promise<SaveExchangeTokenOutcome>;
  /**
   * Use up the exchange token, link its user to the patient and store its session; or change nothing but the
   * count of failures (§4.3).
   */
  link(request: LinkRequest): Promise<LinkOutcome>;
  /** Count a failed match for the token, its user and who was guessed. Returns why the token is unusable. */
  countFailure(attempt: Attempt): Promise<TokenRefusal | undefined>;
  /** End the session and its pending exchange tokens (§4.5). False: the session had ended already. */
  removeSession(tokenHash: TokenHash, user: string, now: number): Promise<boolean>;
  /**
   * Remove the link, its signature, and all sessions and pending exchange tokens of the user (§4.6, decisions
   * 20 and 36). False: the calling session had ended already.
   */
  removeUser(tokenHash: TokenHash, user: string, now: number): Promise<boolean>;
  /**
   * Record in the audit that the data of a patient was read for `user` (§4.4). Once it resolves, the entry
   * survives a crash of the process. Unlike a change, it may be lost with the machine.
   */
  recordAccess(user: string, patientId: string, now: number): MaybePromise<void>;
  /** Read entries of the audit in the order of writing. */
  readAudit(query: AuditQuery): MaybePromise<AuditRecord[]>;
  auditRange(): MaybePromise<AuditRange>;
  /** Read what the store holds, at most `limit` rows of each kind. */
  contents(limit: number): MaybePromise<Contents>;

  /**
   * Delete at most `limit` sessions and `limit` exchange tokens that were logged out or expired before
   * `before`. A session that ended with its link counts from that end in PostgreSQL, and from its own expiry
   * in memory and in SQLite. Resolves to the number of deleted rows. If several processes share a database,
   * one purges at a time and the others resolve to 0.
   */
  purge(before: number, limit: number): Promise<number>;
  /** Delete at most `limit` failed matches older than `before`. Resolves to their number. */
  purgeFailures(before: number, limit: number): Promise<number>;
  /** Delete at most `limit` audit entries older than `before`, oldest first. Resolves to their number. */
  purgeAudit(before: number, limit: number): Promise<number>;

  /**
   * Keep the rows of now, without the audit. Resolves to the function that puts them back. Not in PostgreSQL:
   * other servers may share that database.
   */
  keep?(): Promise<() => Promise<void>>;
  /** Delete all rows but those of the audit. Not in PostgreSQL. */
  clear?(): Promise<void>;

  /**
   * End the reads under way, so that the next ones see what other processes have written. Absent: each read
   * sees that by itself.
   */
  endReads?(): void;
  /** Throws when the store cannot answer. */
  check(): MaybePromise<void>;
  /** Let pending writes finish, then release everything. */
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Whether an audit is kept. Only load tests turn it off. */
  audit: boolean;
  /** The most failed matches of a user, and of who is guessed, within an hour (decision 37). Default: 20. */
  failedMatchesPerHour?: number | undefined;
  /** Ends the reads of other connections to the same file, so that its log can be restarted. SQLite only. */
  endOtherReads?: (() => void) | undefined;
  /** Called after each COMMIT with the number of writes in it. */
  onCommit?: ((size: number) => void) | undefined;
};
