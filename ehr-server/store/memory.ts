/**
 * The store in memory: for the conformance kit, for tests, and for mocks in a browser. Each call does its
 * work at once, so nothing comes between its steps.
 */

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import {
  DEFAULT_FAILED_MATCHES_PER_HOUR,
  FAILED_MATCH_WINDOW_MS,
  MAX_PENDING_EXCHANGE_TOKENS,
} from '#protocol/limits.ts';
import { type AuditEntry, type AuditQuery, type AuditRecord, entryOf, isAskedFor } from './audit.ts';
import { mayOpen, refusalOf } from './rules.ts';
import type {
  Attempt,
  Contents,
  Link,
  LinkOutcome,
  LinkRequest,
  NewExchangeToken,
  NewSession,
  SaveExchangeTokenOutcome,
  SaveRules,
  SaveSessionOutcome,
  Store,
  StoreOptions,
  TokenHash,
  TokenRefusal,
} from './store.ts';

/** Open an empty store. It ignores the options of databases. */
export function memoryStore({ audit, failedMatchesPerHour }: StoreOptions = { audit: true }): Store {
  const rows = new MemoryRows(memoryAudit(audit), failedMatchesPerHour ?? DEFAULT_FAILED_MATCHES_PER_HOUR);
  return {
    findSession: (tokenHash) => rows.findSession(tokenHash),
    findLink: (user) => rows.links.get(user),
    refusalOf: (attempt) => rows.refusalOf(attempt),
    saveSession: async (...given) => rows.saveSession(...given),
    saveExchangeToken: async (token, now) => rows.saveExchangeToken(token, now),
    link: async (request) => rows.link(request),
    countFailure: async (attempt) => rows.countFailure(attempt),
    removeSession: async (...given) => rows.removeSession(...given),
    removeUser: async (...given) => rows.removeUser(...given),
    recordAccess: (user, patientId, now) =>
      rows.audit.add(entryOf(now, 'patient.get_patient', user, patientId, {})),
    readAudit: (query) => rows.audit.read(query),
    auditRange: () => rows.audit.range(),
    contents: (limit) => contentsOf(rows, limit),
    async keep() {
      const restore = rows.keep();
      return async () => restore();
    },
    clear: async () => rows.clear(),
    purge: async (before, limit) =>
      deleteExpired(rows.sessions, before, limit) + deleteExpired(rows.exchangeTokens, before, limit),
    purgeFailures: async (before, limit) => rows.purgeFailures(before, limit),
    purgeAudit: async (before, limit) => rows.audit.purge(before, limit),
    check: () => undefined,
    close: async () => undefined,
  };
}

/** Delete at most `limit` rows that expired before `before`. Returns their number. */
function deleteExpired(stored: Map<string, { expiresAt: number }>, before: number, limit: number): number {
  const expired = [...stored].filter(([, { expiresAt }]) => expiresAt < before).slice(0, limit);
  for (const [key] of expired) stored.delete(key);
  return expired.length;
}

/** `link` is undefined once the session was logged out. A session whose link was removed has ended, too. */
type KeptSession = { link: Link | undefined; recordId: string; expiresAt: number; isRecorded: boolean };
type KeptExchangeToken = Omit<NewExchangeToken, 'hash'> & { failures: number; isUsed: boolean };
type FailedMatch = { user: string; guessed: string[]; at: number };

/** The rows of the store by their keys, in the order of their writing, and its changes. */
class MemoryRows {
  /** By the hash of the token, in hexadecimal. */
  sessions = new Map<string, KeptSession>();
  exchangeTokens = new Map<string, KeptExchangeToken>();
  /** By user. */
  links = new Map<string, Link>();
  readonly audit: MemoryAudit;
  readonly #failuresPerHour: number;
  #failedMatches: FailedMatch[] = [];

  constructor(audit: MemoryAudit, failuresPerHour: number) {
    this.audit = audit;
    this.#failuresPerHour = failuresPerHour;
  }

  /** Keep the rows of now, without the audit. Returns the function that puts them back. */
  keep(): () => void {
    const kept = this.#copy();
    return () => {
      // Copied again: the rows that are put back change, and may be put back once more.
      const { sessions, exchangeTokens, links, failedMatches } = structuredClone(kept);
      Object.assign(this, { sessions, exchangeTokens, links });
      this.#failedMatches = failedMatches;
    };
  }

  /** Delete all rows but those of the audit. */
  clear(): void {
    for (const rows of [this.sessions, this.exchangeTokens, this.links]) rows.clear();
    this.#failedMatches = [];
  }

  findSession(tokenHash: TokenHash): { link: Link; expiresAt: number } | undefined {
    const session = this.sessions.get(bytesToHex(tokenHash));
    const link = session && this.linkOf(session);
    return link && { link, expiresAt: session.expiresAt };
  }

  refusalOf({ exchangeToken, guessed, now }: Attempt): TokenRefusal | undefined {
    const token = this.exchangeTokens.get(bytesToHex(exchangeToken));
    const failed = this.#failedMatches.filter(({ at }) => Math.abs(now - at) < FAILED_MATCH_WINDOW_MS);
    const failuresOf = (hash: string) => failed.filter((match) => match.guessed.includes(hash)).length;
    const row = token && {
      used: token.isUsed,
      superseded: this.#isSuperseded(token),
      expires_at: token.expiresAt,
      failures: token.failures,
      user_failures: failed.filter(({ user }) => user === token.session.user).length,
      guessed_failures: Math.max(0, ...guessed.map(bytesToHex).map(failuresOf)),
    };
    return refusalOf(row, now, this.#failuresPerHour);
  }

  saveSession(session: NewSession, userSign: string, now: number, rules: SaveRules): SaveSessionOutcome {
    const link = this.links.get(session.user);
    if (link?.userSign !== userSign) return { refused: 'user_unknown' };
    const outcome = this.#putOrRecord(session, link, now, rules.mayRecord);
    this.audit.add(entryOf(now, 'embedded_storage.save_auth_info', session.user, link.patientId, outcome));
    return outcome;
  }

  #putOrRecord({ tokenHash, recordId, lifetime }: NewSession, link: Link, now: number, mayRecord: boolean) {
    const key = bytesToHex(tokenHash);
    const stored = this.sessions.get(key);
    if (!stored) {
      this.sessions.set(key, { link, recordId, expiresAt: now + lifetime, isRecorded: true });
      return { id: recordId };
    }
    const isRecordable = mayRecord && !stored.isRecorded && stored.link === link && now < stored.expiresAt;
    if (!isRecordable) return { refused: 'token_already_stored' } as const;
    stored.isRecorded = true;
    return { id: stored.recordId };
  }

  saveExchangeToken({ hash, ...token }: NewExchangeToken, now: number): SaveExchangeTokenOutcome {
    const { user, tokenHash } = token.session;
    const key = bytesToHex(hash);
    const outcome = this.exchangeTokens.has(key)
      ? ({ refused: 'exchange_token_already_stored' } as const)
      : this.#mayOpen(tokenHash, user, now)
        ? { id: token.recordId }
        : ({ refused: 'token_already_stored' } as const);
    if ('id' in outcome) this.exchangeTokens.set(key, { ...token, failures: 0, isUsed: false });
    this.audit.add(entryOf(now, 'embedded_storage.save_exchange_token', user, null, outcome));
    return outcome;
  }

  link(request: LinkRequest): LinkOutcome {
    const refused = this.refusalOf(request);
    const token = this.exchangeTokens.get(bytesToHex(request.exchangeToken));
    if (refused || !token) return { refused: refused ?? 'exchange_token_unknown' };
    const outcome = this.#linkBy(token, request);
    this.audit.add(
      entryOf(request.now, 'embedded_storage.authenticate', token.session.user, request.patientId, outcome),
    );
    return outcome;
  }

  /** Link the user of `token`, which can be used now. */
  #linkBy(token: KeptExchangeToken, request: LinkRequest): LinkOutcome {
    const { patientId, newUserSign, recordId, now } = request;
    const { user, tokenHash, lifetime } = token.session;
    if (!this.#mayOpen(tokenHash, user, now)) return { refused: 'token_already_stored' };
    const known = this.links.get(user);
    if (known ? known.patientId !== patientId : this.#isLinked(patientId)) {
      this.#countFailedMatch(token, request);
      return { refused: known ? 'patient_already_matched' : 'patient_already_linked' };
    }
    const link = known ?? { user, patientId, userSign: newUserSign };
    this.links.set(user, link);
    const key = bytesToHex(tokenHash);
    const session = this.sessions.get(key);
    if (!session || !this.linkOf(session))
      this.sessions.set(key, { link, recordId, expiresAt: now + lifetime, isRecorded: false });
    token.isUsed = true;
    return { userSign: link.userSign };
  }

  countFailure(attempt: Attempt): TokenRefusal | undefined {
    const refused = this.refusalOf(attempt);
    const token = this.exchangeTokens.get(bytesToHex(attempt.exchangeToken));
    if (refused || !token) return refused ?? 'exchange_token_unknown';
    this.#countFailedMatch(token, attempt);
    const outcome = { refused: 'patient_not_matched' };
    this.audit.add(entryOf(attempt.now, 'embedded_storage.authenticate', token.session.user, null, outcome));
    return undefined;
  }

  removeSession(tokenHash: TokenHash, user: string, now: number): boolean {
    const key = bytesToHex(tokenHash);
    const session = this.sessions.get(key);
    if (!session || this.linkOf(session)?.user !== user) return false;
    session.link = undefined;
    session.expiresAt = now;
    this.#endTokens(user, key);
    this.audit.add(entryOf(now, 'embedded_storage.remove_auth_info', user, null, {}));
    return true;
  }

  removeUser(tokenHash: TokenHash, user: string, now: number): boolean {
    const link = this.findSession(tokenHash)?.link;
    if (link?.user !== user) return false;
    this.audit.add(entryOf(now, 'embedded_storage.remove_authentication', user, link.patientId, {}));
    this.links.delete(user);
    this.#endTokens(user);
    return true;
  }

  purgeFailures(before: number, limit: number): number {
    const { length } = this.#failedMatches;
    this.#failedMatches = this.#failedMatches.filter(({ at }, index) => index >= limit || at >= before);
    return length - this.#failedMatches.length;
  }

  /** Copied in one: a session and its link stay tied. */
  #copy() {
    const { sessions, exchangeTokens, links } = this;
    return structuredClone({ sessions, exchangeTokens, links, failedMatches: this.#failedMatches });
  }

  /** The link of a session; undefined once the session has ended. */
  linkOf({ link }: KeptSession): Link | undefined {
    return link && this.links.get(link.user) === link ? link : undefined;
  }

  #mayOpen(tokenHash: TokenHash, user: string, now: number): boolean {
    const session = this.sessions.get(bytesToHex(tokenHash));
    return !session || mayOpen(this.linkOf(session)?.user, session.expiresAt, user, now);
  }

  #isLinked(patientId: string): boolean {
    return [...this.links.values()].some((link) => link.patientId === patientId);
  }

  /** Whether its session has so many newer tokens that this one works no longer. */
  #isSuperseded(token: KeptExchangeToken): boolean {
    const ofSession = this.#tokensOf(token.session.user, bytesToHex(token.session.tokenHash));
    return ofSession.length - ofSession.indexOf(token) > MAX_PENDING_EXCHANGE_TOKENS;
  }

  /** The exchange tokens of a user, or of one of their sessions, in the order of saving. */
  #tokensOf(user: string, sessionKey?: string): KeptExchangeToken[] {
    return [...this.exchangeTokens.values()].filter(
      ({ session }) =>
        session.user === user && (sessionKey === undefined || bytesToHex(session.tokenHash) === sessionKey),
    );
  }

  #endTokens(user: string, sessionKey?: string): void {
    for (const token of this.#tokensOf(user, sessionKey)) token.isUsed = true;
  }

  #countFailedMatch(token: KeptExchangeToken, { guessed, now }: Attempt): void {
    token.failures++;
    this.#failedMatches.push({ user: token.session.user, guessed: guessed.map(bytesToHex), at: now });
  }
}

type MemoryAudit = ReturnType<typeof memoryAudit>;

/** Open an empty record. With `on: false` nothing is added. */
function memoryAudit(on: boolean) {
  let records: AuditRecord[] = [];
  let lastId = 0;
  return {
    add(entry: AuditEntry): void {
      if (on) records.push({ id: ++lastId, ...entry });
    },
    /** Read entries in the order of writing. */
    read: (query: AuditQuery) => records.filter((record) => isAskedFor(record, query)).slice(0, query.limit),
    range: () => ({ first: records[0]?.id ?? 0, last: records.at(-1)?.id ?? 0 }),
    /** Delete those of the `limit` oldest entries that are older than `before`. Returns their number. */
    purge(before: number, limit: number): number {
      const { length } = records;
      records = records.filter(({ at }, index) => index >= limit || at >= before);
      return length - records.length;
    },
  };
}

/** Returns at most `limit` rows of each kind that have not ended. */
function contentsOf(rows: MemoryRows, limit: number): Contents {
  const sessions = [...rows.sessions].flatMap(([key, session]) => {
    const link = rows.linkOf(session);
    return link ? [{ tokenHash: hexToBytes(key), ...withoutSign(link), expiresAt: session.expiresAt }] : [];
  });
  const exchangeTokens = [...rows.exchangeTokens].flatMap(
    ([key, { session, expiresAt, failures, isUsed }]) =>
      isUsed ? [] : [{ hash: hexToBytes(key), user: session.user, expiresAt, failures }],
  );
  return {
    sessions: sessions.sort(byExpiry).slice(0, limit),
    exchangeTokens: exchangeTokens.sort(byExpiry).slice(0, limit),
    links: [...rows.links.values()]
      .sort((a, b) => (a.user < b.user ? -1 : 1))
      .slice(0, limit)
      .map(withoutSign),
  };
}

/** Orders rows by their expiry, the latest first. */
function byExpiry(a: { expiresAt: number }, b: { expiresAt: number }): number {
  return b.expiresAt - a.expiresAt;
}

function withoutSign({ user, patientId }: Link): Contents['links'][number] {
  return { user, patientId };
}
