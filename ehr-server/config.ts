/** The settings of the EHR server: for `--help`, the environment, the validation and the documentation. */

import { z } from 'zod';
import { DEFAULT_FAILED_MATCHES_PER_HOUR } from '#protocol/limits.ts';
import { allowedHostsSetting } from '#service/http/allowed-hosts.ts';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import {
  list,
  type Program,
  port,
  readSettings,
  SettingsError,
  type SettingsTable,
  type Values,
  wholeNumber,
} from '#service/process/command-line/settings.ts';
import {
  apiVersionSetting,
  hostSetting,
  internalSettings,
  logLevelSetting,
  originsSetting,
  ttlUnitSetting,
} from '#service/process/command-line/shared-settings.ts';
import { commandLines } from './commands/names.ts';
import { isOtherAddress } from './database/address.ts';
import { auditSettings } from './settings/audit.ts';
import { connectionSettings } from './settings/connections.ts';
import { databaseSettings } from './settings/database.ts';
import { rateLimitSettings } from './settings/rate-limits.ts';
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
  ...databaseSettings,
  ...auditSettings,
  ...rateLimitSettings,
  ...connectionSettings,
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

const program: Program = {
  name: programName('ehr'),
  description: 'The EHR server of the Embedded EHR Storage Interface.',
  epilogue: `Commands, each with a --help of its own:\n${commandLines()}\n\nExample:\n  EHR_INTERNAL_USER=auth-server EHR_INTERNAL_PASSWORD=secret ${commandLine('ehr', '--port 4100')}`,
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
