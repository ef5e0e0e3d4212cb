/** The rate limits of the EHR server: per client address, and per exchange token. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { MAX_TOKEN_CHARS } from '#protocol/limits.ts';
import type { Channel } from '#protocol/methods/pipeline.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Call } from '#protocol/wire/envelope.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { clientAddress } from '#service/http/limits/client-address.ts';
import { addressLimit, countInMemory } from '#service/http/limits/limit.ts';
import { createRateLimiter, type Limited, type RateLimiter } from '#service/http/limits/rate-limiter.ts';
import type { Log } from '#service/process/log.ts';
import type { EhrConfig } from '../config.ts';
import { engineOf } from '../store/open-store.ts';

export type Limits = {
  /** The rate limiter of a channel's listener. Undefined: no limit. */
  limiterOf(channel: Channel): RateLimiter | undefined;
  close(): Promise<void>;
};

export type LimitsOptions = {
  config: EhrConfig;
  clock: Clock;
  log: Log;
  onRateLimited?: ((limited: Limited) => void) | undefined;
};

/**
 * Open the limits that the settings name.
 * @throws Error when the table of the shared counters cannot be created
 */
export async function openLimits({ config, clock, log, onRateLimited }: LimitsOptions): Promise<Limits> {
  if (!config.rateLimit) return { limiterOf: () => undefined, close: async () => undefined };
  const shared = await openShared(config, clock, log);
  const count = shared?.count ?? countInMemory;
  const client = clientAddress(config.trustedProxies);
  const common = { client, clock, log, onRateLimited };
  const limiter = createRateLimiter({
    ...common,
    perAddress: addressLimit(config.ratePerAddress, 'address', count),
    perExchangeToken: {
      limit: count({ name: 'exchange_token', points: config.ratePerExchangeToken, durationSeconds: 60 }),
      keyOf: exchangeTokenOf,
    },
  });
  const { ratePerInternalAddress: rate } = config;
  const internal =
    rate === undefined
      ? undefined
      : createRateLimiter({ ...common, perAddress: addressLimit(rate, 'internal_address', count) });
  return {
    limiterOf: (channel) => (channel === 'internal' ? internal : limiter),
    close: async () => shared?.close(),
  };
}

/** Open the counters that several processes on one PostgreSQL share. Undefined: the database is SQLite. */
async function openShared(config: EhrConfig, clock: Clock, log: Log) {
  if (engineOf(config.database) !== 'postgresql') return undefined;
  const { openSharedCounters } = await import('./shared-counters.ts');
  return openSharedCounters({ database: config.database, clock, log });
}

/** SHA-256 of the exchange token that a call tries. Tokens are kept in no other form. */
function exchangeTokenOf({ method, params }: Call): string | undefined {
  if (method !== 'embedded_storage.authenticate' || Array.isArray(params)) return undefined;
  const { exchangeToken } = params;
  // A longer token cannot be stored, and the call will be refused for its shape.
  if (typeof exchangeToken !== 'string' || exchangeToken.length > MAX_TOKEN_CHARS) return undefined;
  return bytesToHex(hashToken(exchangeToken));
}
