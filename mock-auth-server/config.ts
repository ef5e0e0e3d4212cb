/** The settings of the authorization server: one table for help, environment, validation and docs. */

import { z } from 'zod';
import {
  DEFAULT_CODES_PER_DAY,
  DEFAULT_MAX_SESSION_LIFETIME_MS,
  DEFAULT_RESEND_AFTER_SECONDS,
  DEFAULT_SESSION_TTL_MINUTES,
  TTL_UNIT_MS,
} from '#protocol/limits.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import { allowedHostsSetting } from '#service/http/allowed-hosts.ts';
import { addressLimitSettings, trustedProxiesSetting } from '#service/http/limits/limit.ts';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import {
  apiVersionSetting,
  hostSetting,
  httpUrl,
  internalSettings,
  isAddress,
  list,
  logLevelSetting,
  onOff,
  originsSetting,
  type Program,
  port,
  readSettings,
  SettingsError,
  type SettingsTable,
  ttlUnitSetting,
  type Values,
  wholeNumber,
} from '#service/process/command-line/settings.ts';
import type { Pair } from '#service/tls/tls-files.ts';
import { listenerTlsSettings, pairOf } from '#service/tls/tls-settings.ts';
import { ehrTlsFiles, ehrTlsSettings } from './ehr/ehr-tls.ts';

const tlsSettings = listenerTlsSettings('AUTH');

export const authSettings = {
  port: {
    flag: '--port <number>',
    env: 'AUTH_PORT',
    default: '4200',
    schema: port,
    help: 'port to listen on',
  },
  host: hostSetting('AUTH'),
  allowedHosts: allowedHostsSetting('AUTH'),
  ...tlsSettings,
  database: {
    flag: '--database <file>',
    env: 'AUTH_DATABASE',
    default: '.data/auth.sqlite',
    schema: z.string().min(1, 'must name a file'),
    help: 'SQLite file of users, sessions and messages, or :memory:',
  },
  ehrUrl: {
    flag: '--ehr-url <url>',
    env: 'AUTH_EHR_URL',
    default: 'http://127.0.0.1:4100',
    schema: httpUrl.refine(isBareUrl, 'must be an http or https address without user, query or fragment'),
    help: 'base URL of the EHR listener that serves the internal methods, without the version segment',
  },
  ...ehrTlsSettings,
  apiVersion: apiVersionSetting('AUTH', "version segment of the EHR server's endpoint; may be empty"),
  ...internalSettings('of this server at the EHR server'),
  origins: originsSetting('AUTH'),
  codeHost: {
    flag: '--code-host <host>',
    env: 'AUTH_CODE_HOST',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9.-]*$/, 'must be a host without a port, such as my.example.org, or empty')
      .optional(),
    help: 'host of the page into which codes are typed: the last line of a text message names it with the code, so that a phone offers the code to that page alone; absent: the host of --origins, where they have one in common; empty: no such line',
  },
  sessionTtl: {
    flag: '--session-ttl <number>',
    env: 'AUTH_SESSION_TTL',
    default: String(DEFAULT_SESSION_TTL_MINUTES),
    schema: wholeNumber(1, DEFAULT_MAX_SESSION_LIFETIME_MS / TTL_UNIT_MS.seconds),
    help: 'lifetime of a session, in the unit of --ttl-unit',
  },
  ttlUnit: ttlUnitSetting('AUTH', 'unit of ttl, as set at the EHR server: minutes or seconds'),
  otpResendAfter: {
    flag: '--otp-resend-after <seconds>',
    env: 'AUTH_OTP_RESEND_AFTER',
    default: String(DEFAULT_RESEND_AFTER_SECONDS),
    schema: wholeNumber(0, 3_600),
    help: 'how long after a code another one may be requested for the same phone or e-mail address',
  },
  otpPerDay: {
    flag: '--otp-per-day <number>',
    env: 'AUTH_OTP_PER_DAY',
    default: String(DEFAULT_CODES_PER_DAY),
    schema: wholeNumber(1, 1_000_000),
    help: 'how many codes may be sent to one phone or e-mail address within 24 hours',
  },
  ehrTimeout: {
    flag: '--ehr-timeout <milliseconds>',
    env: 'AUTH_EHR_TIMEOUT',
    default: '5000',
    schema: wholeNumber(1, 600_000),
    help: 'how long the EHR server may take for its whole answer',
  },
  withoutCorrespondence: {
    flag: '--without-correspondence <list>',
    env: 'AUTH_WITHOUT_CORRESPONDENCE',
    default: '',
    schema: list
      .refine(
        (phones) => phones.every((phone) => phoneKey(phone) !== undefined),
        'must be comma-separated phone numbers',
      )
      .transform((phones) => phones.map((phone) => phoneKey(phone) ?? phone)),
    help: 'phones whose users get no entry in the correspondence table, to show that error',
  },
  allowTestLogin: {
    flag: '--allow-test-login',
    env: 'AUTH_ALLOW_TEST_LOGIN',
    schema: onOff,
    help: 'serve auth.login, which signs in anybody with no code; for test set-ups alone',
  },
  ...addressLimitSettings('AUTH'),
  trustedProxies: trustedProxiesSetting('AUTH'),
  bodyLimit: {
    flag: '--body-limit <bytes>',
    env: 'AUTH_BODY_LIMIT',
    default: '65536',
    schema: wholeNumber(1024, 64 * 1024 * 1024),
    help: 'largest request body',
  },
  logLevel: logLevelSetting('AUTH'),
  controlPort: {
    flag: '--control-port <number>',
    env: 'AUTH_CONTROL_PORT',
    schema: port.optional(),
    help: 'harness mode: port on 127.0.0.1 where the clock is moved and correspondence entries are removed',
  },
} as const satisfies SettingsTable;

export type AuthConfig = Values<typeof authSettings>;

const program: Program = {
  name: programName('auth'),
  description:
    'The mock authorization server: sign-in by one-time code, exchange tokens, correspondence table, and a simulated SMS outbox.',
  epilogue: `Example:\n  EHR_INTERNAL_USER=auth-server EHR_INTERNAL_PASSWORD=secret ${commandLine('auth', '--ehr-url http://127.0.0.1:4100')}`,
};

export function readAuthConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AuthConfig | undefined {
  const config = readSettings(program, authSettings, argv, env);
  if (config) {
    listenerPair(config);
    ehrTlsFiles(config);
    // The address may contain a password, so the error does not repeat it.
    if (isAddress(config.database))
      throw new SettingsError(
        '--database (environment variable AUTH_DATABASE) must be a SQLite file; it is an address.',
      );
  }
  return config && { ...config, codeHost: config.codeHost ?? commonHost(config.origins) };
}

/** The one host of all origins. Of several none is named: a phone offers a code to the named one alone. */
function commonHost(webOrigins: readonly string[]): string | undefined {
  const [host, ...others] = new Set(webOrigins.map((origin) => new URL(origin).hostname));
  return others.length === 0 ? host : undefined;
}

/** Certificate and key of this server's own listener; undefined for plain HTTP. */
export function listenerPair({ tlsCert, tlsKey }: Pick<AuthConfig, 'tlsCert' | 'tlsKey'>): Pair | undefined {
  return pairOf(tlsCert, tlsKey, { cert: tlsSettings.tlsCert, key: tlsSettings.tlsKey });
}

function isBareUrl(value: string): boolean {
  const url = new URL(value);
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
