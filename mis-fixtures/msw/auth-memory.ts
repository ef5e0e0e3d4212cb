/**
 * The authorization server's state in memory: users with their correspondence entries, sessions, and one-time
 * codes.
 */
import type { Clock } from '#protocol/clock.ts';
import { RpcError } from '#protocol/errors.ts';
import { phoneKey } from '#protocol/matching.ts';
import { type Random, randomCode, randomToken } from '#protocol/random.ts';
import type { AuthInfo } from './ehr-memory.ts';

/**
 * An entry of the correspondence table. The signature is undefined until the EHR server has linked the user.
 */
export type Entry = { userSign: string | undefined };

type Session = { user: string; expiresAt: number };
type SentCode = { code: string; expiresAt: number; failures: number };

export const CODE_DIGITS = 6;
/** Lifetime of a code in milliseconds. */
export const CODE_LIFETIME_MS = 5 * 60_000;
const MAX_WRONG_CODES = 5;

/** Maximum number of codes to one phone or e-mail address within 24 hours. */
const MAX_CODES_PER_DAY = 50;
const DAY_MS = 86_400_000;

/** Lifetime of a session in minutes, the unit of its ttl. */
const SESSION_TTL_MINUTES = 1440;
const MINUTE_MS = 60_000;

export type AuthMemoryOptions = {
  clock: Clock;
  random: Random;
  /** Seconds until another code may be requested. */
  otpResendAfter: number;
  /** Phones whose users get no correspondence entry. */
  withoutCorrespondence: readonly string[];
};

/** Normalises a phone or e-mail address for comparison. */
export function attributeKey(attribute: string): string {
  return phoneKey(attribute) ?? attribute.toLowerCase();
}

export class AuthMemory {
  readonly #options: AuthMemoryOptions;
  readonly #withoutEntry: Set<string>;
  /** User ids by phone, e-mail address, or name of a test login. */
  readonly #users = new Map<string, string>();
  readonly #entries = new Map<string, Entry>();
  readonly #sessions = new Map<string, Session>();
  readonly #codes = new Map<string, SentCode>();
  /** When codes were sent. Neither a confirmation nor a deletion shortens the pause between two codes. */
  readonly #sendings = new Map<string, number[]>();

  constructor(options: AuthMemoryOptions) {
    this.#options = options;
    this.#withoutEntry = new Set(options.withoutCorrespondence.map(attributeKey));
  }

  /** Creates a code for this phone or address. @throws RpcError `otp_throttled`, `otp_limit_reached` */
  issueCode(attribute: string): string {
    const { clock, random, otpResendAfter } = this.#options;
    const now = clock.now();
    const sent = (this.#sendings.get(attribute) ?? []).filter((at) => at > now - DAY_MS);
    if (sent.some((at) => now < at + otpResendAfter * 1_000)) throw new RpcError('otp_throttled');
    if (sent.length >= MAX_CODES_PER_DAY) throw new RpcError('otp_limit_reached');
    const code = randomCode(random, CODE_DIGITS);
    this.#codes.set(attribute, { code, expiresAt: now + CODE_LIFETIME_MS, failures: 0 });
    this.#sendings.set(attribute, [...sent, now]);
    return code;
  }

  /** Checks the code without using it up. @throws RpcError `otp_wrong`, `otp_expired`, `otp_exhausted` */
  checkCode(attribute: string, code: string): void {
    const sent = this.#codes.get(attribute);
    if (!sent) throw new RpcError('otp_wrong');
    if (sent.failures >= MAX_WRONG_CODES) throw new RpcError('otp_exhausted');
    if (this.#options.clock.now() >= sent.expiresAt) throw new RpcError('otp_expired');
    if (sent.code === code) return;
    sent.failures++;
    throw new RpcError('otp_wrong');
  }

  /**
   * Uses the code up. @throws RpcError `otp_wrong` when another call has done so, or a newer code was sent
   * meanwhile
   */
  useCode(attribute: string, code: string): void {
    if (this.#codes.get(attribute)?.code !== code) throw new RpcError('otp_wrong');
    this.#codes.delete(attribute);
  }

  /**
   * Returns the public user id of this identity. A new user gets a correspondence entry unless the options
   * deny it.
   */
  ensureUser(identity: string, newId: () => string = () => `u-${randomToken(this.#options.random, 16)}`): string {
    const known = this.#users.get(identity);
    if (known !== undefined) return known;
    const user = newId();
    this.#users.set(identity, user);
    if (!this.#withoutEntry.has(attributeKey(identity))) this.#entries.set(user, { userSign: undefined });
    return user;
  }

  isUser(user: string): boolean {
    return [...this.#users.values()].includes(user);
  }

  entryOf(user: string): Entry | undefined {
    return this.#entries.get(user);
  }

  newAuthInfo(user: string): AuthInfo {
    return { user, token: randomToken(this.#options.random), ttl: SESSION_TTL_MINUTES };
  }

  openSession({ user, token, ttl }: AuthInfo): void {
    this.#sessions.set(token, { user, expiresAt: this.#options.clock.now() + ttl * MINUTE_MS });
  }

  /** Checks the session. @throws RpcError `not_authorized`, `session_expired` */
  verifySession(user: string, token: string): void {
    const session = this.#sessions.get(token);
    if (!session || session.user !== user) throw new RpcError('not_authorized');
    if (this.#options.clock.now() >= session.expiresAt) throw new RpcError('session_expired');
  }

  /** Returns the session for the EHR server: its ttl is the remaining time, rounded up. */
  remaining(user: string, token: string): AuthInfo {
    const expiresAt = this.#sessions.get(token)?.expiresAt ?? 0;
    return { user, token, ttl: Math.max(1, Math.ceil((expiresAt - this.#options.clock.now()) / MINUTE_MS)) };
  }

  endSession(token: string): void {
    this.#sessions.delete(token);
  }

  /** Deletes the user. @returns the phone or e-mail address under which the user was known */
  deleteUser(user: string): string | undefined {
    const [identity] = [...this.#users].find(([, known]) => known === user) ?? [];
    if (identity !== undefined) {
      this.#users.delete(identity);
      this.#codes.delete(identity);
    }
    this.#entries.delete(user);
    for (const [token, session] of this.#sessions) {
      if (session.user === user) this.#sessions.delete(token);
    }
    return identity;
  }

  clear(): void {
    for (const map of [this.#users, this.#entries, this.#sessions, this.#codes, this.#sendings]) map.clear();
  }
}
