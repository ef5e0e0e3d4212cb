/** The settings of the client's server: one table for `--help`, environment, validation and documentation. */

import { z } from 'zod';
import { allowedHostsSetting } from '#service/http/allowed-hosts.ts';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import {
  apiVersionSetting,
  hostSetting,
  httpUrl,
  logLevelSetting,
  type Program,
  port,
  readSettings,
  type SettingsTable,
  ttlUnitSetting,
  type Values,
} from '#service/process/command-line/settings.ts';
import type { Pair } from '#service/tls/tls-files.ts';
import { listenerTlsSettings, pairOf } from '#service/tls/tls-settings.ts';

const tlsSettings = listenerTlsSettings('CLIENT');

export const clientSettings = {
  port: {
    flag: '--port <number>',
    env: 'CLIENT_PORT',
    default: '4300',
    schema: port,
    help: 'port to listen on',
  },
  host: hostSetting('CLIENT'),
  allowedHosts: allowedHostsSetting('CLIENT'),
  ...tlsSettings,
  ehrUrl: {
    flag: '--ehr-url <url>',
    env: 'CLIENT_EHR_URL',
    default: 'http://127.0.0.1:4100',
    schema: httpUrl,
    help: 'base URL of the EHR server as the browser reaches it, without the version segment',
  },
  apiVersion: apiVersionSetting('CLIENT', "version segment of the EHR server's endpoint; may be empty"),
  authUrl: {
    flag: '--auth-url <url>',
    env: 'CLIENT_AUTH_URL',
    default: 'http://127.0.0.1:4200',
    schema: httpUrl,
    help: 'base URL of the authorization server as the browser reaches it',
  },
  smsUrl: {
    flag: '--sms-url <url>',
    env: 'CLIENT_SMS_URL',
    default: '',
    schema: z
      .literal('')
      .transform(() => undefined)
      .or(httpUrl),
    help: 'page that shows the simulated messages, such as http://127.0.0.1:4200/sms; empty for no link to one',
  },
  ttlUnit: ttlUnitSetting('CLIENT', 'unit of ttl, as set at the servers: minutes or seconds'),
  logLevel: logLevelSetting('CLIENT'),
} as const satisfies SettingsTable;

export type ClientServerConfig = Values<typeof clientSettings>;

const program: Program = {
  name: programName('client'),
  description: 'The mock client: a web page that signs a patient in, finds the record and shows it.',
  epilogue: `Example:\n  ${commandLine('client', '--ehr-url http://127.0.0.1:4100 --auth-url http://127.0.0.1:4200')}`,
};

/** Reads the settings from flags and environment. Returns undefined when `--help` was printed. */
export function readClientConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ClientServerConfig | undefined {
  const config = readSettings(program, clientSettings, argv, env);
  if (config) listenerPair(config);
  return config;
}

/** Returns certificate and key of this server, or undefined for plain HTTP. */
export function listenerPair({
  tlsCert,
  tlsKey,
}: Pick<ClientServerConfig, 'tlsCert' | 'tlsKey'>): Pair | undefined {
  return pairOf(tlsCert, tlsKey, { cert: tlsSettings.tlsCert, key: tlsSettings.tlsKey });
}
