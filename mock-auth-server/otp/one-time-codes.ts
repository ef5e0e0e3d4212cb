/** One-time codes. A code that comes back in time proves who owns the phone or e-mail address (§1 rule 8). */

import { CODE_DIGITS, CODE_LIFETIME_MS, CODE_WINDOW_MS, MAX_WRONG_CODES } from '#protocol/limits.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { type Random, randomCode } from '#protocol/time/random.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { keyedHash, sameBytes } from '#protocol/wire/hashes.ts';
import type { CodeHash, SentCode, Store } from '../store/store.ts';
import type { Attribute } from './attribute.ts';

/** The most codes sent within the lifetime of one: about as many as four client addresses may request. */
const MAX_PENDING_CODES = 250_000;

const SALT_BYTES = 16;

export type CodeLimits = {
  /** The seconds between two codes to one recipient. */
  resendAfter: number;
  /** The most codes to one recipient within 24 hours. */
  perDay: number;
  /** The most codes to all recipients within the lifetime of one. Absent: {@link MAX_PENDING_CODES}. */
  pending?: number;
  /** The key of the hash by which recipients are stored. */
  key: string;
};

/** A right code, reserved for one call while that call works. */
export type Claim = {
  /** @throws RpcError `otp_wrong` when a newer code was sent or the user was deleted in the meantime */
  consume(): void;
  release(): void;
};

export type OneTimeCodes = {
  /** Stores and returns a new code. @throws RpcError `otp_throttled`, `otp_limit_reached` */
  issue(attribute: Attribute): string;
  /** Of two calls with one code, one wins. @throws RpcError `otp_wrong`, `otp_expired`, `otp_exhausted` */
  claim(attribute: Attribute, code: string): Claim;
};

export function createOneTimeCodes(
  store: Store,
  clock: Clock,
  random: Random,
  limits: CodeLimits,
): OneTimeCodes {
  const { resendAfter, perDay, pending = MAX_PENDING_CODES, key } = limits;
  // In memory on purpose: if the process dies, its claims are gone and the user can try again.
  const claimed = new Set<number>();
  return {
    issue(attribute) {
      const now = clock.now();
      const recipient = keyedHash(key, `${attribute.kind}:${attribute.value}`);
      const { count, last } = store.sendings.since(recipient, now - CODE_WINDOW_MS, now);
      if (last !== null && now < last + resendAfter * 1_000) throw new RpcError('otp_throttled');
      if (count >= perDay) throw new RpcError('otp_limit_reached');
      const code = randomCode(random, CODE_DIGITS);
      const salt = random(SALT_BYTES);
      const sent = store.codes.put(
        attribute,
        { salt, hash: keyedHash(salt, code) },
        now,
        now + CODE_LIFETIME_MS,
      );
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

const NOTHING_SENT: CodeHash = { salt: new Uint8Array(SALT_BYTES), hash: new Uint8Array(32) };

function refusalOf(sent: SentCode, now: number): 'otp_exhausted' | 'otp_expired' | undefined {
  if (sent.failures >= MAX_WRONG_CODES) return 'otp_exhausted';
  return now >= sent.expiresAt ? 'otp_expired' : undefined;
}

function isRight(code: string, { salt, hash }: CodeHash): boolean {
  return sameBytes(keyedHash(salt, code), hash);
}
