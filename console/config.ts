/** The settings of the console's program, which the demo starts: its ports, the parties, and the token. */
import { z } from 'zod';
import { packageVersion } from '#service/process/command-line/program-name.ts';
import {
  httpUrl,
  logLevel,
  type Program,
  port,
  readSettings,
  type SettingsTable,
  wholeNumber,
} from '#service/process/command-line/settings.ts';
import type { ConsoleOptions } from './server/open-console.ts';

const needed = z.string().min(1, 'must be given');

/** A setting whose flag is its variable without the first word. */
const row = <Schema extends z.ZodType>(env: string, value: string, schema: Schema, help: string) => ({
  flag: `--${env
    .replace(/^[A-Z]+_/, '')
    .toLowerCase()
    .replaceAll('_', '-')} <${value}>`,
  env,
  schema,
  help,
});
const url = (env: string, help: string) => row(env, 'url', httpUrl, help);
const ownPort = (env: string, help: string) => row(env, 'number', port, help);

const consoleSettings = {
  pagePort: ownPort('CONSOLE_PORT', 'port of the page'),
  ehrPort: ownPort('CONSOLE_EHR_PORT', 'port of the proxy in front of the EHR server'),
  internalPort: ownPort(
    'CONSOLE_INTERNAL_PORT',
    "port of the proxy in front of the EHR server's internal listener",
  ),
  authPort: ownPort('CONSOLE_AUTH_PORT', 'port of the proxy in front of the authorization server'),
  ehr: url('CONSOLE_EHR_URL', 'base URL of the EHR server itself'),
  internal: url('CONSOLE_INTERNAL_URL', 'base URL of its internal listener itself'),
  auth: url('CONSOLE_AUTH_URL', 'base URL of the authorization server itself'),
  client: url('CONSOLE_CLIENT_URL', "base URL of the client's pages"),
  ehrControl: url('CONSOLE_EHR_CONTROL_URL', 'base URL of the control port of the EHR server'),
  authControl: url('CONSOLE_AUTH_CONTROL_URL', 'base URL of the control port of the authorization server'),
  internalUser: row('EHR_INTERNAL_USER', 'name', needed, 'internal user'),
  internalPassword: {
    ...row('EHR_INTERNAL_PASSWORD', 'text', needed, 'internal password, which is masked'),
    secret: true,
  },
  token: { ...row('CONSOLE_TOKEN', 'text', needed, 'control token'), secret: true },
  page: row('CONSOLE_PAGE', 'directory', z.string().optional(), 'directory of the built page'),
  seed: {
    ...row('CONSOLE_SEED', 'number', wholeNumber(0, 2 ** 31), 'seed of the population, for links'),
    default: '0',
  },
  logLevel: { ...row('CONSOLE_LOG_LEVEL', 'level', logLevel, 'log level'), default: 'info' },
} as const satisfies SettingsTable;

const program: Program = {
  name: 'console',
  description: 'The console of the demo, which npm run demo starts.',
};

export type ConsoleConfig = ConsoleOptions & { logLevel: z.output<typeof logLevel> };

/** Reads the settings from flags and environment. Returns undefined when `--help` was printed. */
export function readConsoleConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ConsoleConfig | undefined {
  const read = readSettings(program, consoleSettings, argv, env);
  if (!read) return undefined;
  const { pagePort, page, ehrPort, internalPort, authPort, ...others } = read;
  const { ehr, internal, auth, client, ehrControl, authControl, ...rest } = others;
  return {
    ...rest,
    page: { port: pagePort, directory: page },
    ports: { ehr: ehrPort, internal: internalPort, auth: authPort },
    parties: { ehr, internal, auth, client, ehrControl, authControl },
    apiVersion: '1.0-alpha',
    version: packageVersion(),
  };
}
