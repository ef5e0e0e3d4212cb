/** The EHR server's state in memory, for handlers that run in a test or a browser worker: the rules of the store, without a database. */
import type { Clock } from '#protocol/clock.ts';
import { RpcError } from '#protocol/errors.ts';
import { type Random, randomToken } from '#protocol/random.ts';

export type AuthInfo = { user: string; token: string; ttl: number };

/** `recorded` is false while only authenticate has stored it. An ended session keeps its token from being saved again. */
type Session = { id: string; user: string; expiresAt: number; recorded: boolean; ended: boolean };
type ExchangeToken = { authInfo: AuthInfo; expiresAt: number; failures: number; used: boolean };

/** An entry of the correspondence table (decision 18). */
export type Link = { patientId: string; userSign: string };

/** Lifetime of an exchange token in milliseconds (§2.4), and how many failed matches it survives (decision 13). */
const EXCHANGE_TOKEN_LIFETIME = 10 * 60_000;
const MAX_FAILURES = 5;

/** Milliseconds in one unit of ttl (decision 9). */
const MINUTE = 60_000;

/** The sessions, exchange tokens and links of one EHR server. Every method changes all it has to or, when it throws, nothing but a count of failures. */
export class EhrMemory {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #sessions = new Map<string, Session>();
  readonly #exchangeTokens = new Map<string, ExchangeToken>();
  readonly #links = new Map<string, Link>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The user of a live session; @throws RpcError `not_authorized`, `session_expired` */
  verifySession(user: string, token: string): void {
    const session = this.#sessions.get(token);
    if (!session || session.ended || session.user !== user) throw new RpcError('not_authorized');
    if (this.#clock.now() >= session.expiresAt) throw new RpcError('session_expired');
  }

  linkOf(user: string): Link | undefined {
    return this.#links.get(user);
  }

  /** §4.1, decision 14; @throws RpcError `token_already_stored` */
  saveSession(authInfo: AuthInfo): { id: string } {
    const stored = this.#sessions.get(authInfo.token);
    if (!stored) return { id: this.#putSession(authInfo, true).id };
    const recordable =
      !stored.recorded && !stored.ended && stored.user === authInfo.user && this.#clock.now() < stored.expiresAt;
    if (!recordable) throw new RpcError('token_already_stored');
    stored.recorded = true;
    return { id: stored.id };
  }

  /** §4.2, decision 21a; @throws RpcError `exchange_token_already_stored`, `token_already_stored` */
  saveExchangeToken(value: string, authInfo: AuthInfo): { id: string } {
    if (this.#exchangeTokens.has(value)) throw new RpcError('exchange_token_already_stored');
    this.#refuseForeign(authInfo);
    const expiresAt = this.#clock.now() + EXCHANGE_TOKEN_LIFETIME;
    this.#exchangeTokens.set(value, { authInfo, expiresAt, failures: 0, used: false });
    return { id: this.#newId() };
  }

  /** Why the exchange token cannot be used is thrown: RpcError `exchange_token_unknown`, `…_expired`, `…_exhausted` */
  usableToken(value: string): ExchangeToken {
    const token = this.#exchangeTokens.get(value);
    if (!token || token.used) throw new RpcError('exchange_token_unknown');
    if (this.#clock.now() >= token.expiresAt) throw new RpcError('exchange_token_expired');
    if (token.failures >= MAX_FAILURES) throw new RpcError('exchange_token_exhausted');
    return token;
  }

  /** Counts a failed match; @returns the refusal to answer with */
  failedMatch(token: ExchangeToken): RpcError {
    token.failures++;
    return new RpcError('patient_not_matched');
  }

  /** §4.3; @throws RpcError `token_already_stored`, `patient_already_matched`, `patient_already_linked` */
  link(token: ExchangeToken, patientId: string): Link {
    const { authInfo } = token;
    this.#refuseForeign(authInfo);
    const link = this.#links.get(authInfo.user);
    const taken = [...this.#links.values()].some((other) => other.patientId === patientId);
    if (link ? link.patientId !== patientId : taken) {
      token.failures++;
      throw new RpcError(link ? 'patient_already_matched' : 'patient_already_linked');
    }
    const session = this.#sessions.get(authInfo.token);
    if (!session || session.ended) this.#putSession(authInfo, false);
    token.used = true;
    const kept = link ?? { patientId, userSign: randomToken(this.#random) };
    this.#links.set(authInfo.user, kept);
    return kept;
  }

  /** §4.5 */
  removeSession(token: string): void {
    const session = this.#sessions.get(token);
    if (session) session.ended = true;
  }

  /** §4.6, decision 20: the link, its signature and all sessions of the user. */
  removeUser(user: string): void {
    this.#links.delete(user);
    for (const session of this.#sessions.values()) {
      if (session.user === user) session.ended = true;
    }
  }

  /** Forgets everything. */
  clear(): void {
    for (const map of [this.#sessions, this.#exchangeTokens, this.#links]) map.clear();
  }

  #putSession({ user, token, ttl }: AuthInfo, recorded: boolean): Session {
    const session = { id: this.#newId(), user, expiresAt: this.#clock.now() + ttl * MINUTE, recorded, ended: false };
    this.#sessions.set(token, session);
    return session;
  }

  /** A token that is another user's session, or an expired one, cannot be opened (decisions 12 and 21a). */
  #refuseForeign({ user, token }: AuthInfo): void {
    const stored = this.#sessions.get(token);
    if (!stored || stored.ended) return;
    if (stored.user !== user || this.#clock.now() >= stored.expiresAt) throw new RpcError('token_already_stored');
  }

  #newId(): string {
    return `r-${randomToken(this.#random, 12)}`;
  }
}
