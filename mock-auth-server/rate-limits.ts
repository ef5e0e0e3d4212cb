/** The rate limit of the authorization server: calls of one client address, counted in this process. */
import type { Clock } from '#protocol/time/clock.ts';
import { clientAddress, networks } from '#service/http/limits/client-address.ts';
import { addressLimit, countInMemory, rateLimit } from '#service/http/limits/limit.ts';
import { createRateLimiter, type RateLimiter } from '#service/http/limits/rate-limiter.ts';
import { type SettingsTable, type Values, wholeNumber } from '#service/process/command-line/settings.ts';
import type { Log } from '#service/process/log.ts';

export const rateLimitSettings = {
  rateLimit: {
    flag: '--rate-limit <rule>',
    env: 'AUTH_RATE_LIMIT',
    default: 'on',
    schema: rateLimit,
    help: 'whether requests are limited: on, or off for load tests',
  },
  ratePerAddress: {
    flag: '--rate-per-address <number>',
    env: 'AUTH_RATE_PER_ADDRESS',
    default: '200',
    schema: wholeNumber(1, 1_000_000),
    help: 'calls a second of one client address, or of one /64 network of IPv6; a moment may take more',
  },
  trustedProxies: {
    flag: '--trusted-proxies <list>',
    env: 'AUTH_TRUSTED_PROXIES',
    default: '',
    schema: networks,
    help: 'addresses and networks of the proxies whose X-Forwarded-For is believed, comma-separated',
  },
} as const satisfies SettingsTable;

export function openRateLimiter(
  config: Values<typeof rateLimitSettings>,
  clock: Clock,
  log: Log,
): RateLimiter | undefined {
  if (!config.rateLimit) return undefined;
  const perAddress = addressLimit(config.ratePerAddress, 'address', countInMemory);
  return createRateLimiter({ client: clientAddress(config.trustedProxies), perAddress, clock, log });
}
