/** The parts that a method works with. They contain no transport, and run in a browser too. */
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import type { AuthConfig } from './config.ts';
import type { EhrClient } from './ehr-client.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { Outbox } from './outbox.ts';
import type { Store } from './store/store.ts';

/** The settings that the methods look at. */
export type AuthRules = Pick<
  AuthConfig,
  'allowTestLogin' | 'otpResendAfter' | 'sessionTtl' | 'ttlUnit' | 'withoutCorrespondence'
>;

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
