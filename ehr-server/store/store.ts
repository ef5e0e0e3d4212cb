/**
 * What the EHR server remembers: sessions, exchange tokens, links, and the audit record of what was done with them. One
 * interface; every change is atomic, recorded in the audit and durable when its promise resolves.
 */
import type { MaybePromise } from '#protocol/maybe-promise.ts';
import type { AuditQuery, AuditRecord } from './audit.ts';

/** SHA-256 of a token: tokens are never stored in clear. */
export type TokenHash = Buffer;

/** An entry of the correspondence table: the user, the patient, and the signature of this link. */
export type Link = { user: string; patientId: string; userSign: string };

/** It stands on the link of its user and ends with it. All times are milliseconds since 1970-01-01 UTC on the server's clock. */
export type Session = { link: Link; expiresAt: number };

/** The session that an exchange token will open, as the authorization server announced it. */
export type NewSession = {
  tokenHash: TokenHash;
  user: string;
  /** Lifetime in milliseconds, counted from the moment the session is stored. */
  lifetime: number;
  /** When the sender made the record, as sent; decides nothing (decision 10). */
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

/** Why an exchange token cannot be used (now). */
export type TokenRefusal =
  | 'exchange_token_unknown'
  | 'exchange_token_expired'
  | 'exchange_token_exhausted'
  | 'too_many_failed_matches';

/** An exchange token in an attempt at `now` to identify a patient; `phone` is the keyed hash of the phone that was sent. */
export type Attempt = { exchangeToken: TokenHash; phone?: Buffer | undefined; now: number };

export type SaveSessionOutcome = { id: string } | { refused: 'token_already_stored' | 'user_unknown' };
export type SaveExchangeTokenOutcome =
  | { id: string }
  | { refused: 'exchange_token_already_stored' | 'token_already_stored' };
export type LinkOutcome =
  | { userSign: string }
  | { refused: TokenRefusal | 'token_already_stored' | 'patient_already_matched' | 'patient_already_linked' };

export type LinkRequest = Attempt & {
  patientId: string;
  /** Signature for a new link; an existing link keeps its own (decision 15). */
  newUserSign: string;
  recordId: string;
};

/** Reads may answer at once (SQLite) or later (a database server). */
export type Store = {
  /** A session that is stored and not ended, expired or not, with the link that it stands on. */
  findSession(tokenHash: TokenHash): MaybePromise<Session | undefined>;
  findLink(user: string): MaybePromise<Link | undefined>;
  /** Undefined when the exchange token can be used, else why not. */
  refusalOf(attempt: Attempt): MaybePromise<TokenRefusal | undefined>;

  /**
   * Stores a session of a linked user whose signature is still `userSign`; or records, once, the session that
   * authenticate stored (§4.1, decision 14) when `mayRecord`.
   */
  saveSession(session: NewSession, userSign: string, now: number, mayRecord: boolean): Promise<SaveSessionOutcome>;
  /** §4.2, decision 21a. */
  saveExchangeToken(token: NewExchangeToken, now: number): Promise<SaveExchangeTokenOutcome>;
  /** Uses up the exchange token, links its user to the patient and stores its session, or changes nothing but the count of failures (§4.3). */
  link(request: LinkRequest): Promise<LinkOutcome>;
  /** Counts one failed match, for the token, its user and the phone; says why when the token could not be used any more. */
  countFailure(attempt: Attempt): Promise<TokenRefusal | undefined>;
  /** §4.5. Ends the session and its pending exchange tokens; false when there is no such session any more. */
  removeSession(tokenHash: TokenHash, user: string, now: number): Promise<boolean>;
  /** Removes the link, its signature, and all sessions and pending exchange tokens of the user (§4.6, decisions 20 and 36); false when the session that asked is gone. */
  removeUser(tokenHash: TokenHash, user: string, now: number): Promise<boolean>;
  /**
   * Records in the audit that the data of a patient was read for `user` (§4.4). When it resolves the entry outlives the
   * process; unlike a change it need not outlive the machine.
   */
  recordAccess(user: string, patientId: string, now: number): MaybePromise<void>;
  /** Entries of the audit in the order of writing. */
  readAudit(query: AuditQuery): MaybePromise<AuditRecord[]>;

  /**
   * Deletes at most `limit` sessions and exchange tokens each that were logged out or expired before `before`; one that
   * ended with its link goes by then, or when it would have run out. Resolves to how many went. Where several processes
   * share a database, one of them purges at a time and the others resolve to 0.
   */
  purge(before: number, limit: number): Promise<number>;
  /** Deletes at most `limit` failed matches of before `before`; resolves to how many went. */
  purgeFailures(before: number, limit: number): Promise<number>;
  /** Deletes at most `limit` audit entries older than `before`, oldest first; resolves to how many went. */
  purgeAudit(before: number, limit: number): Promise<number>;

  /** Throws when the store cannot answer. */
  check(): MaybePromise<void>;
  /** Lets pending writes finish, then releases everything. */
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Whether an audit is kept; on unless a load test says otherwise. */
  audit: boolean;
  /** How many failed matches a user, and a phone, may have within an hour (decision 37); 20 unless given. */
  failedMatchesPerHour?: number | undefined;
  /** Throws while the database is not the file that was opened; SQLite alone. */
  checkFile?: (() => void) | undefined;
  /** Hears how many writes were committed together, after each COMMIT. */
  onCommit?: ((size: number) => void) | undefined;
};

/** A failed match leaves an exchange token usable up to this many times (decision 13). */
export const MAX_FAILURES = 5;
/** So many exchange tokens of a session work, the newest ones (decision 36). */
export const MAX_PENDING = 5;
/** How long a failed match counts for its user and its phone, in milliseconds (decision 37). */
export const FAILURE_WINDOW_MS = 60 * 60_000;
export const FAILED_MATCHES_PER_HOUR = 20;
