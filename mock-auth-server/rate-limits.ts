/** The rate limit of the authorization server: calls of one client address, counted in this process. */
import type { Clock } from '#protocol/time/clock.ts';
import { clientAddress } from '#service/http/limits/client-address.ts';
import { addressLimit, countInMemory } from '#service/http/limits/limit.ts';
import { addressLimitSettings, trustedProxiesSetting } from '#service/http/limits/limit-settings.ts';
import { createRateLimiter, type RateLimiter } from '#service/http/limits/rate-limiter.ts';
import type { SettingsTable, Values } from '#service/process/command-line/settings.ts';
import type { Log } from '#service/process/log.ts';

export const rateLimitSettings = {
  ...addressLimitSettings('AUTH'),
  trustedProxies: trustedProxiesSetting('AUTH'),
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
