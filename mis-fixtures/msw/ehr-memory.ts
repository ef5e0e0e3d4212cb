/**
 * The EHR server's state in memory: the rules of the store without a database, for a test or a browser
 * worker.
 */
import type { Clock } from '#protocol/clock.ts';
import { RpcError } from '#protocol/errors.ts';
import { type Random, randomToken } from '#protocol/random.ts';

export type AuthInfo = { user: string; token: string; ttl: number };

/**
 * `recorded` is false while only authenticate has stored the session. An ended session keeps its token from
 * being saved again.
 */
type Session = { id: string; user: string; expiresAt: number; recorded: boolean; ended: boolean };
type Failure = { user: string; phone: string | undefined; at: number };
type ExchangeToken = { authInfo: AuthInfo; expiresAt: number; failures: number; used: boolean };

/** An entry of the correspondence table (decision 18). */
export type Link = { patientId: string; userSign: string };

/** Lifetime of an exchange token in milliseconds (§2.4). */
const EXCHANGE_TOKEN_LIFETIME_MS = 10 * 60_000;
const MAX_FAILED_MATCHES = 5;
/** Maximum number of usable exchange tokens of a session: the newest ones (decision 36). */
const MAX_PENDING_TOKENS = 5;
/** Maximum number of failed matches of a user, and of a phone, within an hour (decision 37). */
const MAX_FAILURES_PER_HOUR = 20;
const HOUR_MS = 60 * 60_000;

/** Milliseconds in one unit of ttl (decision 9). */
const MINUTE_MS = 60_000;

/**
 * The sessions, exchange tokens and links of one EHR server. A method that throws has changed nothing but a
 * count of failures.
 */
export class EhrMemory {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #sessions = new Map<string, Session>();
  readonly #exchangeTokens = new Map<string, ExchangeToken>();
  readonly #links = new Map<string, Link>();
  #failures: Failure[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Checks a session. @throws RpcError `not_authorized`, `session_expired` */
  verifySession(user: string, token: string): void {
    const session = this.#sessions.get(token);
    if (!session || session.ended || session.user !== user) throw new RpcError('not_authorized');
    if (this.#clock.now() >= session.expiresAt) throw new RpcError('session_expired');
  }

  linkOf(user: string): Link | undefined {
    return this.#links.get(user);
  }

  /** Saves a session (§4.1, decision 14). @throws RpcError `token_already_stored` */
  saveSession(authInfo: AuthInfo): { id: string } {
    const stored = this.#sessions.get(authInfo.token);
    if (!stored) return { id: this.#putSession(authInfo, true).id };
    const recordable =
      !stored.recorded && !stored.ended && stored.user === authInfo.user && this.#clock.now() < stored.expiresAt;
    if (!recordable) throw new RpcError('token_already_stored');
    stored.recorded = true;
    return { id: stored.id };
  }

  /**
   * Saves an exchange token (§4.2, decision 21a). @throws RpcError `exchange_token_already_stored`,
   * `token_already_stored`
   */
  saveExchangeToken(value: string, authInfo: AuthInfo): { id: string } {
    if (this.#exchangeTokens.has(value)) throw new RpcError('exchange_token_already_stored');
    this.#refuseForeign(authInfo);
    const expiresAt = this.#clock.now() + EXCHANGE_TOKEN_LIFETIME_MS;
    this.#exchangeTokens.set(value, { authInfo, expiresAt, failures: 0, used: false });
    return { id: this.#newId() };
  }

  /**
   * Returns the exchange token if it may be used to search for a patient with this phone.
   * @throws RpcError `exchange_token_unknown`, `…_expired`, `…_exhausted`, `too_many_failed_matches`
   */
  usableToken(value: string, phone: string | undefined): ExchangeToken {
    const token = this.#exchangeTokens.get(value);
    const now = this.#clock.now();
    if (!token || token.used || this.#isOvertaken(token)) throw new RpcError('exchange_token_unknown');
    if (now >= token.expiresAt) throw new RpcError('exchange_token_expired');
    if (token.failures >= MAX_FAILED_MATCHES) throw new RpcError('exchange_token_exhausted');
    this.#failures = this.#failures.filter(({ at }) => at > now - HOUR_MS);
    const ofUser = this.#failures.filter((failure) => failure.user === token.authInfo.user);
    const ofPhone = this.#failures.filter((failure) => phone !== undefined && failure.phone === phone);
    if (Math.max(ofUser.length, ofPhone.length) >= MAX_FAILURES_PER_HOUR) throw new RpcError('too_many_failed_matches');
    return token;
  }

  /** Counts a failed match. @returns the refusal to answer with */
  failedMatch(token: ExchangeToken, phone: string | undefined): RpcError {
    this.#fail(token, phone);
    return new RpcError('patient_not_matched');
  }

  /**
   * Links the patient (§4.3). @throws RpcError `token_already_stored`, `patient_already_matched`,
   * `patient_already_linked`
   */
  link(token: ExchangeToken, patientId: string, phone: string | undefined): Link {
    const { authInfo } = token;
    this.#refuseForeign(authInfo);
    const link = this.#links.get(authInfo.user);
    const taken = [...this.#links.values()].some((other) => other.patientId === patientId);
    if (link ? link.patientId !== patientId : taken) {
      this.#fail(token, phone);
      throw new RpcError(link ? 'patient_already_matched' : 'patient_already_linked');
    }
    const session = this.#sessions.get(authInfo.token);
    if (!session || session.ended) this.#putSession(authInfo, false);
    token.used = true;
    const kept = link ?? { patientId, userSign: randomToken(this.#random) };
    this.#links.set(authInfo.user, kept);
    return kept;
  }

  /** Ends a session (§4.5). */
  removeSession(token: string): void {
    const session = this.#sessions.get(token);
    if (!session) return;
    session.ended = true;
    this.#endTokens((pending) => pending.authInfo.user === session.user && pending.authInfo.token === token);
  }

  /** Removes the link, its signature and all sessions of the user (§4.6, decision 20). */
  removeUser(user: string): void {
    this.#links.delete(user);
    for (const session of this.#sessions.values()) {
      if (session.user === user) session.ended = true;
    }
    this.#endTokens((pending) => pending.authInfo.user === user);
  }

  /** Deletes everything. */
  clear(): void {
    for (const map of [this.#sessions, this.#exchangeTokens, this.#links]) map.clear();
    this.#failures = [];
  }

  #fail(token: ExchangeToken, phone: string | undefined): void {
    token.failures++;
    this.#failures.push({ user: token.authInfo.user, phone, at: this.#clock.now() });
  }

  #endTokens(isMeant: (pending: ExchangeToken) => boolean): void {
    for (const pending of this.#exchangeTokens.values()) if (isMeant(pending)) pending.used = true;
  }

  /** Tells whether newer tokens of the same session have used up the number that may be pending. */
  #isOvertaken(token: ExchangeToken): boolean {
    const { user, token: session } = token.authInfo;
    const ofSession = [...this.#exchangeTokens.values()].filter(
      ({ authInfo }) => authInfo.user === user && authInfo.token === session,
    );
    return ofSession.length - 1 - ofSession.indexOf(token) >= MAX_PENDING_TOKENS;
  }

  #putSession({ user, token, ttl }: AuthInfo, recorded: boolean): Session {
    const session = { id: this.#newId(), user, expiresAt: this.#clock.now() + ttl * MINUTE_MS, recorded, ended: false };
    this.#sessions.set(token, session);
    return session;
  }

  /** Refuses a token that is another user's session, or an expired one (decisions 12 and 21a). */
  #refuseForeign({ user, token }: AuthInfo): void {
    const stored = this.#sessions.get(token);
    if (!stored || stored.ended) return;
    if (stored.user !== user || this.#clock.now() >= stored.expiresAt) throw new RpcError('token_already_stored');
  }

  #newId(): string {
    return `r-${randomToken(this.#random, 12)}`;
  }
}
