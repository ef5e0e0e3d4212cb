/** Settings of the rate limits. */

import { networks } from '#service/http/limits/client-address.ts';
import { rateLimit } from '#service/http/limits/limit.ts';
import { type SettingsTable, wholeNumber } from '#service/process/command-line/settings.ts';

export const rateLimitSettings = {
  rateLimit: {
    flag: '--rate-limit <rule>',
    env: 'EHR_RATE_LIMIT',
    default: 'on',
    schema: rateLimit,
    help: 'whether requests are limited: on, or off for load tests',
  },
  ratePerAddress: {
    flag: '--rate-per-address <number>',
    env: 'EHR_RATE_PER_ADDRESS',
    default: '200',
    schema: wholeNumber(1, 1_000_000),
    help: 'calls a second of one client address, or of one /64 network of IPv6; a moment may take more',
  },
  ratePerInternalAddress: {
    flag: '--rate-per-internal-address <number>',
    env: 'EHR_RATE_PER_INTERNAL_ADDRESS',
    schema: wholeNumber(1, 1_000_000).optional(),
    help: 'the same on the listener of --internal-port; absent: no limit, for the authorization server calls for everybody',
  },
  ratePerExchangeToken: {
    flag: '--rate-per-exchange-token <number>',
    env: 'EHR_RATE_PER_EXCHANGE_TOKEN',
    default: '10',
    schema: wholeNumber(1, 1_000_000),
    help: 'calls of authenticate a minute with one exchange token',
  },
  trustedProxies: {
    flag: '--trusted-proxies <list>',
    env: 'EHR_TRUSTED_PROXIES',
    default: '',
    schema: networks,
    help: 'addresses and networks of the proxies whose X-Forwarded-For is believed, comma-separated',
  },
} as const satisfies SettingsTable;
