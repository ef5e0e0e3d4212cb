/** The settings of the rate limits that both servers have. `prefix` begins their environment variables. */
import { wholeNumber } from '../../process/command-line/settings.ts';
import { networks } from './client-address.ts';
import { rateLimit } from './limit.ts';

export const addressLimitSettings = (prefix: string) => ({
  rateLimit: {
    flag: '--rate-limit <rule>',
    env: `${prefix}_RATE_LIMIT`,
    default: 'on',
    schema: rateLimit,
    help: 'whether requests are limited: on, or off for load tests',
  },
  ratePerAddress: {
    flag: '--rate-per-address <number>',
    env: `${prefix}_RATE_PER_ADDRESS`,
    default: '200',
    schema: wholeNumber(1, 1_000_000),
    help: 'calls a second of one client address, or of one /64 network of IPv6; a moment may take more',
  },
});

export const trustedProxiesSetting = (prefix: string) => ({
  flag: '--trusted-proxies <list>',
  env: `${prefix}_TRUSTED_PROXIES`,
  default: '',
  schema: networks,
  help: 'addresses and networks of the proxies whose X-Forwarded-For is believed, comma-separated',
});
