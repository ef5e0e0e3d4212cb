/** One-time codes: sent to a phone or e-mail address, and proof of owning it when they come back in time (§1 rule 8). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#protocol/clock.ts';
import { RpcError } from '#protocol/errors.ts';
import { type Random, randomCode } from '#protocol/random.ts';
import type { Attribute } from './attribute.ts';
import type { CodeHash, SentCode } from './store/codes.ts';
import type { Store } from './store/store.ts';

/** Length of a code. */
export const CODE_DIGITS = 6;
/** Lifetime of a code in milliseconds. */
export const CODE_LIFETIME_MS = 5 * 60_000;
/** Wrong codes that may be entered before the sent one is worth nothing. */
const MAX_FAILURES = 5;

/** More codes than this are not sent within the lifetime of one: about what four client addresses may request. */
const MAX_PENDING_CODES = 250_000;

const SALT_BYTES = 16;
const DAY_MS = 86_400_000;

export type CodeLimits = {
  /** Seconds between two codes to one recipient. */
  resendAfter: number;
  /** Codes to one recipient within 24 hours. */
  perDay: number;
  /** Codes to anybody within the lifetime of one; {@link MAX_PENDING_CODES} unless given. */
  pending?: number;
  /** Key of the hash under which recipients are remembered. */
  key: string;
};

/** A right code, held for one call while it does its work. */
export type Claim = {
  /**
   * Uses the code up; to be called in the transaction that acts on it.
   * @throws RpcError `otp_wrong` when a newer code was sent or the user was deleted meanwhile
   */
  consume(): void;
  /** Lets go of the code: unless it was consumed, it can be used again. */
  release(): void;
};

export type OneTimeCodes = {
  /**
   * Sends nothing; makes and remembers a code in place of the one before it. To be called in a transaction.
   * @returns the code, to be delivered
   * @throws RpcError `otp_throttled` before the resend interval has passed since the last code, whatever became of it;
   *   `otp_limit_reached` after as many codes as a day allows
   */
  issue(attribute: Attribute): string;
  /**
   * Claims the code sent to `attribute`. While it is claimed, nobody else can claim it: of two calls with one code one wins.
   * @throws RpcError `otp_wrong`, `otp_expired`, `otp_exhausted`
   */
  claim(attribute: Attribute, code: string): Claim;
};

export function createOneTimeCodes(store: Store, clock: Clock, random: Random, limits: CodeLimits): OneTimeCodes {
  const { resendAfter, perDay, pending = MAX_PENDING_CODES, key } = limits;
  // In memory on purpose: the claims of a process that dies die with it, and the user can try again.
  const claimed = new Set<number>();
  return {
    issue(attribute) {
      const now = clock.now();
      const recipient = createHmac('sha256', key).update(`${attribute.kind}:${attribute.value}`).digest();
      const { count, last } = store.sendings.since(recipient, now - DAY_MS);
      if (last !== null && now < last + resendAfter * 1_000) throw new RpcError('otp_throttled');
      if (count >= perDay) throw new RpcError('otp_limit_reached');
      const code = randomCode(random, CODE_DIGITS);
      const salt = random(SALT_BYTES);
      const sent = store.codes.put(attribute, { salt, hash: hashCode(salt, code) }, now, now + CODE_LIFETIME_MS);
      if (sent >= pending) throw new RpcError('otp_throttled');
      store.sendings.add(recipient, now);
      return code;
    },
    claim(attribute, code) {
      const sent = store.codes.find(attribute);
      const right = isRight(code, sent ?? NOTHING_SENT);
      if (!sent) throw new RpcError('otp_wrong');
      const refused = refusalOf(sent, clock.now());
      if (refused) throw new RpcError(refused);
      if (!right) {
        store.codes.countFailure(sent.seq);
        throw new RpcError('otp_wrong');
      }
      if (claimed.has(sent.seq))
        throw new RpcError('otp_wrong', { errors: ['Another call is using this code right now.'] });
      claimed.add(sent.seq);
      return {
        consume() {
          if (!store.codes.consume(sent.seq)) throw new RpcError('otp_wrong');
        },
        release: () => void claimed.delete(sent.seq),
      };
    },
  };
}

/** Stands in where no code was sent, so that the same work is done. */
const NOTHING_SENT: CodeHash = { salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(32) };

function refusalOf(sent: SentCode, now: number): 'otp_exhausted' | 'otp_expired' | undefined {
  if (sent.failures >= MAX_FAILURES) return 'otp_exhausted';
  return now >= sent.expiresAt ? 'otp_expired' : undefined;
}

function hashCode(salt: Uint8Array, code: string): Buffer {
  return createHmac('sha256', salt).update(code, 'utf8').digest();
}

function isRight(code: string, { salt, hash }: CodeHash): boolean {
  return timingSafeEqual(hashCode(salt, code), hash);
}
