/** The settings of the EHR server: for `--help`, the environment, the validation and the documentation. */

import { z } from 'zod';
import { DEFAULT_FAILED_MATCHES_PER_HOUR } from '#protocol/limits.ts';
import { allowedHostsSetting } from '#service/http/allowed-hosts.ts';
import { addressLimitSettings, trustedProxiesSetting } from '#service/http/limits/limit.ts';
import { MAX_CONNECTIONS } from '#service/http/listener/ports.ts';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import {
  apiVersionSetting,
  hostSetting,
  internalSettings,
  list,
  logLevelSetting,
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
import { isOtherAddress } from './database/address.ts';
import { listenerTls, tlsSettings } from './settings/tls.ts';

const properties = ['name', 'surname', 'date', 'phone', 'gender'] as const;

export const ehrSettings = {
  port: {
    flag: '--port <number>',
    env: 'EHR_PORT',
    default: '4100',
    schema: port,
    help: 'port of the public listener',
  },
  host: hostSetting('EHR'),
  allowedHosts: allowedHostsSetting('EHR'),
  database: {
    flag: '--database <file or address>',
    env: 'EHR_DATABASE',
    default: '.data/ehr.sqlite',
    schema: z.string().min(1),
    help: 'SQLite file of sessions, exchange tokens and links, :memory:, or postgres://user:password@host/database',
  },
  misDatabase: {
    flag: '--mis-database <address>',
    env: 'EHR_MIS_DATABASE',
    schema: z.string().min(1).optional(),
    help: 'SQLite file, postgres:// address or JSON file (.json, read into memory) of the patients; absent: the same as --database',
  },
  apiVersion: apiVersionSetting('EHR', 'version segment of the endpoint; may be empty'),
  ...internalSettings('of the authorization server'),
  internalPort: {
    flag: '--internal-port <number>',
    env: 'EHR_INTERNAL_PORT',
    schema: port.optional(),
    help: 'port of a listener for the two save methods alone; absent: one endpoint serves all',
  },
  origins: originsSetting('EHR'),
  replyId: {
    flag: '--reply-id <rule>',
    env: 'EHR_REPLY_ID',
    default: 'string',
    schema: z.enum(['string', 'echo'], 'must be string or echo'),
    help: 'id of a reply: string, or echo in the type in which it came',
  },
  ttlUnit: ttlUnitSetting('EHR', 'unit of ttl: minutes or seconds'),
  maxTtl: {
    flag: '--max-ttl <number>',
    env: 'EHR_MAX_TTL',
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER / 60_000).optional(),
    help: 'largest ttl accepted, in its unit; absent: ten years',
  },
  matchingRequired: {
    flag: '--matching-required <list>',
    env: 'EHR_MATCHING_REQUIRED',
    default: 'name,surname,date,phone',
    schema: list
      .pipe(z.array(z.enum(properties, `must be comma-separated names out of ${properties.join(', ')}`)))
      .refine(
        (names) => names.includes('phone') || names.includes('date'),
        'must include phone or date, so that the search stays indexed',
      ),
    help: 'patient properties that must be sent',
  },
  medcard: {
    flag: '--medcard <rule>',
    env: 'EHR_MEDCARD',
    default: 'on',
    schema: z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on'),
    help: 'whether patients are searched by medical card too: on or off',
  },
  failedMatchesPerHour: {
    flag: '--failed-matches-per-hour <number>',
    env: 'EHR_FAILED_MATCHES_PER_HOUR',
    default: String(DEFAULT_FAILED_MATCHES_PER_HOUR),
    schema: wholeNumber(1, 1_000_000),
    help: 'failed matches that a user, and a phone, may have within an hour',
  },
  recordAfterAuthenticate: {
    flag: '--record-after-authenticate <rule>',
    env: 'EHR_RECORD_AFTER_AUTHENTICATE',
    default: 'once',
    schema: z.enum(['once', 'never'], 'must be once or never'),
    help: 'whether the first save_auth_info after authenticate succeeds: once or never',
  },
  retentionDays: {
    flag: '--retention-days <number>',
    env: 'EHR_RETENTION_DAYS',
    default: '30',
    schema: wholeNumber(1, 36_500),
    help: 'how long ended and expired sessions stay known before they are purged',
  },
  ...tlsSettings,
  databasePool: {
    flag: '--database-pool <number>',
    env: 'EHR_DATABASE_POOL',
    default: '10',
    schema: wholeNumber(3, 1_000),
    help: 'connections that the sessions, links and the audit may open to PostgreSQL',
  },
  databaseTimeout: {
    flag: '--database-timeout <ms>',
    env: 'EHR_DATABASE_TIMEOUT',
    default: '5000',
    schema: wholeNumber(100, 600_000),
    help: 'longest that PostgreSQL may take over a statement or to give a connection; for a lock half of it',
  },
  audit: {
    flag: '--audit <rule>',
    env: 'EHR_AUDIT',
    default: 'on',
    schema: z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on'),
    help: 'record of every access to patient data and every change of a session or link: on, or off for load tests',
  },
  auditRetentionDays: {
    flag: '--audit-retention-days <number>',
    env: 'EHR_AUDIT_RETENTION_DAYS',
    default: '1095',
    schema: wholeNumber(1, 36_500),
    help: 'how long entries of the audit are kept',
  },
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
  maxConnections: {
    flag: '--max-connections <number>',
    env: 'EHR_MAX_CONNECTIONS',
    default: String(MAX_CONNECTIONS),
    schema: wholeNumber(1, 1_000_000),
    help: 'connections that each listener holds; as far as the limit on open files (ulimit -n) allows; more are closed at once',
  },
  bodyLimit: {
    flag: '--body-limit <bytes>',
    env: 'EHR_BODY_LIMIT',
    default: '1048576',
    schema: wholeNumber(1024, 64 * 1024 * 1024),
    help: 'largest request body',
  },
  logLevel: logLevelSetting('EHR'),
  controlPort: {
    flag: '--control-port <number>',
    env: 'EHR_CONTROL_PORT',
    schema: port.optional(),
    help: 'harness mode: port on 127.0.0.1 where the clock can be moved',
  },
} as const satisfies SettingsTable;

export type EhrConfig = Values<typeof ehrSettings>;

/** The commands of the EHR server, each with its line in `--help`. */
export const commandNames = {
  audit: 'list who read which patient and who changed which session or link',
  backup: 'copy the database while the server runs',
} as const;

/** The lines of the help text that list the commands. */
const commandLines = Object.entries(commandNames).map(([name, what]) => `  ${name.padEnd(9)}${what}`);

const program: Program = {
  name: programName('ehr'),
  description: 'The EHR server of the Embedded EHR Storage Interface.',
  epilogue: `Commands, each with a --help of its own:\n${commandLines.join('\n')}\n\nExample:\n  EHR_INTERNAL_USER=auth-server EHR_INTERNAL_PASSWORD=secret ${commandLine('ehr', '--port 4100')}`,
};

/** Reads the settings from flags and environment; undefined when `--help` was printed. */
export function readEhrConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): EhrConfig | undefined {
  const config = readSettings(program, ehrSettings, argv, env);
  if (config) {
    listenerTls(config);
    requireKnownAddress(config.database, '--database (environment variable EHR_DATABASE)');
    requireKnownAddress(config.misDatabase, '--mis-database (environment variable EHR_MIS_DATABASE)');
  }
  return config;
}

/** The address may contain a password, so the error does not repeat it. */
function requireKnownAddress(database: string | undefined, flag: string): void {
  if (database !== undefined && isOtherAddress(database))
    throw new SettingsError(`${flag} must be a SQLite file or an address that begins with postgres://.`);
}

/** The path of the JSON-RPC endpoint (§9): `/<api_version>/`, or `/` when the version is configured empty. */
export function endpointPath(apiVersion: string): string {
  return apiVersion === '' ? '/' : `/${apiVersion}/`;
}

/** Whether a command line names a command, even misspelled, and does not start the server with its flags. */
export function asksForCommand(argv: readonly string[]): boolean {
  return argv[0] !== undefined && !argv[0].startsWith('-');
}
