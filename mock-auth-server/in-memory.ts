/** The authorization server without a listener, with all that it holds in memory: for tests and pages. */
import { DEFAULT_CODES_PER_DAY } from '#protocol/limits.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { AuthRules, Context } from './context.ts';
import { createEhrClient } from './ehr/ehr-client.ts';
import { createOneTimeCodes } from './otp/one-time-codes.ts';
import { createOutbox } from './outbox/outbox.ts';
import { memoryStore } from './store/memory.ts';

export type InMemoryParts = {
  clock: Clock;
  random: Random;
  config: AuthRules;
  internal: { user: string; password: string };
  /** Base URL of the EHR server, the version of its endpoint, and the `fetch` that reaches it. */
  ehr: { url: string; apiVersion: string; fetch: typeof fetch };
  /** How many codes one phone gets in a day; as many as usual unless given. */
  codesPerDay?: number;
};

/** No call between servers in one process takes as long. */
const EHR_TIMEOUT_MS = 5_000;

/** Opens a server that nobody has called yet. */
export function openInMemory(parts: InMemoryParts): Context {
  const { clock, random, config, internal, ehr, codesPerDay: perDay = DEFAULT_CODES_PER_DAY } = parts;
  const store = memoryStore();
  const limits = { resendAfter: config.otpResendAfter, perDay, key: internal.password };
  const calling = {
    apiVersion: ehr.apiVersion,
    ehrUrl: ehr.url,
    ehrTimeout: EHR_TIMEOUT_MS,
    internalUser: internal.user,
    internalPassword: internal.password,
  };
  return {
    ...{ store, clock, random, config },
    outbox: createOutbox(store, clock),
    codes: createOneTimeCodes(store, clock, random, limits),
    ehr: createEhrClient({ config: calling, clock, log: { warn: () => undefined }, fetch: ehr.fetch }),
  };
}
