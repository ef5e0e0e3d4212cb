/** The parts that a method works with. They contain no transport, and run in a browser too. */

import {
  DEFAULT_RESEND_AFTER_SECONDS,
  DEFAULT_SESSION_TTL_MINUTES,
  type TTL_UNIT_MS,
} from '#protocol/limits.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { EhrClient } from './ehr/ehr-client.ts';
import type { OneTimeCodes } from './otp/one-time-codes.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Store } from './store/store.ts';

export type AuthRules = {
  /** Whether `auth.login` is served, which needs no code. */
  allowTestLogin: boolean;
  /** The host of the page into which codes are typed. Absent or empty: no message names it. */
  codeHost?: string | undefined;
  otpResendAfter: number;
  /** Lifetime of a session, in `ttlUnit`. */
  sessionTtl: number;
  ttlUnit: keyof typeof TTL_UNIT_MS;
  /** The canonical phones, e-mail addresses and logins whose users get no correspondence entry. */
  withoutCorrespondence: readonly string[];
};

export type Context = {
  store: Store;
  codes: OneTimeCodes;
  outbox: Outbox;
  ehr: EhrClient;
  clock: Clock;
  random: Random;
  config: AuthRules;
};

/** The verified caller: the holder of a session. `expiresAt` is in milliseconds. */
export type Caller = { user: string; token: string; tokenHash: Uint8Array; expiresAt: number };

/** The settings unless somebody sets others: for servers without a command line. */
export const DEFAULT_RULES = {
  allowTestLogin: false,
  otpResendAfter: DEFAULT_RESEND_AFTER_SECONDS,
  sessionTtl: DEFAULT_SESSION_TTL_MINUTES,
  ttlUnit: 'minutes',
} satisfies Partial<AuthRules>;
