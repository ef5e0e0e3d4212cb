/** Settings of the rate limits. */
import { addressLimitSettings, trustedProxiesSetting } from '#service/http/limits/limit-settings.ts';
import { type SettingsTable, wholeNumber } from '#service/process/command-line/settings.ts';

export const rateLimitSettings = {
  ...addressLimitSettings('EHR'),
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
  trustedProxies: trustedProxiesSetting('EHR'),
} as const satisfies SettingsTable;
