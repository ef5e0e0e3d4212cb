/**
 * Reads the settings of a program from its flags and environment. One table gives the command line, the
 * validation and the documentation.
 */
import { Command, CommanderError, Option } from 'commander';
import { z } from 'zod';
import { packageVersion, seeHelp } from './program-name.ts';

export type Setting<Value = unknown> = {
  /** Long flag with its argument, such as `--port <number>`. A flag without an argument is a switch. */
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  /** Parses the given text (or `true` for a switch) into the value. */
  readonly schema: z.ZodType<Value>;
  /** The default as it would be typed. Absent: the setting may stay unset, if its schema allows undefined. */
  readonly default?: string;
  /** Whether its value stays out of errors, help and logs. */
  readonly secret?: boolean;
};

export type SettingsTable = Readonly<Record<string, Setting>>;

export type Values<Table extends SettingsTable> = { [Name in keyof Table]: z.output<Table[Name]['schema']> };

export type Program = {
  /** The command that the user types, such as `npm run ehr --`; see {@link programName}. */
  readonly name: string;
  readonly description: string;
  /** The text below the list of flags in `--help`. */
  readonly epilogue?: string;
};

/** The exit code of a program whose command line or settings cannot be used. */
export const UNUSABLE_COMMAND_LINE = 2;

/** The settings cannot be used. `message` says what was given and what to do. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Read and validate the settings. A flag wins over its environment variable, which wins over the default.
 * @returns undefined when `--help` or `--version` was asked for and has been printed
 * @throws SettingsError naming each setting that cannot be used, the given value and what is allowed
 */
export function readSettings<Table extends SettingsTable>(
  program: Program,
  table: Table,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Values<Table> | undefined {
  // Without flags, the parser of flags is not set up: that saves time at the start.
  const given = argv.length === 0 ? {} : parseFlags(program, table, argv);
  if (!given) return undefined;
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const raw = given[flagKey(setting)] ?? env[setting.env] ?? setting.default;
    const parsed = setting.schema.safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(describeProblem(setting, raw, parsed.error));
  }
  if (problems.length > 0) throw new SettingsError(`${problems.join('\n')}\n${seeHelp(program.name)}`);
  return values as Values<Table>;
}

/** A switch: on by its flag, or by 1, true, yes or on in the environment. */
export const onOff = z
  .union(
    [z.boolean(), z.enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off', ''])],
    'must be on or off',
  )
  .optional()
  .transform(
    (value) => value === true || (typeof value === 'string' && ['1', 'true', 'yes', 'on'].includes(value)),
  );

/** A whole number from `min` to `max`, typed as digits. */
export function wholeNumber(min: number, max: number) {
  const sentence = `must be a whole number from ${min} to ${Math.floor(max)}`;
  return z
    .string(sentence)
    .regex(/^\d+$/, sentence)
    .transform(Number)
    .refine((value) => value >= min && value <= max, sentence);
}

/** Whether a text is an address such as `mysql://…` or `file:…`, and so no file. One letter is a drive. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text);
}

/** A TCP port; 0 lets the system choose a free one. */
export const port = wholeNumber(0, 65_535);

/** An address to listen on. One of version 6 may stand in brackets, as it does in a URL. */
const listenHost = z
  .string()
  .min(1, 'must name an address')
  .overwrite((address) => address.replace(/^\[(.*)\]$/, '$1'));

/** Comma-separated values. An empty text is an empty list. */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item.length > 0),
);

/** Web origins, comma-separated, each a scheme, host and port without a path. */
export const origins = list.refine(
  (values) =>
    values.every((value) => URL.canParse(value) && new URL(value).origin === value && !value.includes('*')),
  'must be comma-separated origins such as http://localhost:4300',
);

export const logLevel = z.enum(
  ['silent', 'error', 'warn', 'info', 'debug'],
  'must be silent, error, warn, info or debug',
);

/** An http or https address, without a trailing slash. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => value.replace(/\/+$/, ''));

function parseFlags(
  program: Program,
  table: SettingsTable,
  argv: readonly string[],
): Record<string, unknown> | undefined {
  const command = new Command(program.name)
    .description(program.description)
    .version(packageVersion(), '--version', 'print the version')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const setting of Object.values(table)) command.addOption(toOption(setting));
  if (program.epilogue) command.addHelpText('after', `\n${program.epilogue}`);
  const failure = failureOf(command, argv);
  if (!failure) return typedFlags(command);
  if (failure.exitCode === 0) return undefined;
  const sentence = failure.message.replace(/^error: /, '').replace(ASSIGNED, '$1');
  throw new SettingsError(`${sentence}\n${seeHelp(program.name)}`);
}

/** The flags as typed. Commander has a default of its own for a flag that begins with `--no-`. */
function typedFlags(command: Command): Record<string, unknown> {
  const flags = Object.entries(command.opts<Record<string, unknown>>());
  return Object.fromEntries(flags.filter(([name]) => command.getOptionValueSource(name) === 'cli'));
}

/**
 * An unknown flag in an error message, with the value given to it, which may be a secret
 * (`--internal-pasword=…`).
 */
const ASSIGNED = /(?<=')(--[^=']*)=.*(?=')/s;

function failureOf(command: Command, argv: readonly string[]): CommanderError | undefined {
  try {
    command.parse(argv, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

function toOption(setting: Setting): Option {
  const byDefault =
    setting.default === undefined || setting.default === '' ? '' : `default: ${setting.default}, `;
  return new Option(setting.flag, `${setting.help} (${byDefault}env: ${setting.env})`);
}

function flagKey(setting: Setting): string {
  return new Option(setting.flag).attributeName();
}

function describeProblem(setting: Setting, raw: unknown, error: z.ZodError): string {
  const flag = setting.flag.split(' ')[0];
  const sentence = error.issues[0]?.message ?? 'cannot be used';
  const what = `${flag} (environment variable ${setting.env})`;
  if (raw === undefined) return `${what} is not set. Please set it: ${setting.help}.`;
  return setting.secret
    ? `${what} ${sentence}.`
    : `${what} ${sentence}; given was "${withoutCredentials(String(raw))}".`;
}

/** An address, or a list of them, without the user and the password of each, for messages. */
export function withoutCredentials(addresses: string): string {
  return addresses.replace(/(?<=:\/\/)[^,]*@/g, '…@');
}

// The settings that several parties have. `prefix` begins the names of their environment variables.

export const hostSetting = (prefix: string) => ({
  flag: '--host <address>',
  env: `${prefix}_HOST`,
  default: '127.0.0.1',
  schema: listenHost,
  help: 'address to listen on',
});

export const apiVersionSetting = (prefix: string, help: string) => ({
  flag: '--api-version <label>',
  env: `${prefix}_API_VERSION`,
  default: '1.0-alpha',
  schema: z
    .string()
    .regex(/^[A-Za-z0-9._~-]*$/, 'must be a label of letters, digits, dots, hyphens, or empty'),
  help,
});

/** The credentials of the authorization server at the EHR server. @param whose such as `of this server` */
export const internalSettings = (whose: string) => ({
  internalUser: {
    flag: '--internal-user <name>',
    env: 'EHR_INTERNAL_USER',
    schema: z.string('must be text').min(1, 'must not be empty').max(256),
    help: `internal user name ${whose}`,
  },
  internalPassword: {
    flag: '--internal-password <secret>',
    env: 'EHR_INTERNAL_PASSWORD',
    schema: z.string('must be text').min(1, 'must not be empty').max(1024),
    secret: true,
    help: `internal password ${whose}; prefer the environment variable`,
  },
});

export const originsSetting = (prefix: string) => ({
  flag: '--origins <list>',
  env: `${prefix}_ORIGINS`,
  default: 'http://localhost:4300,http://127.0.0.1:4300',
  schema: origins,
  help: 'web origins that may call, comma-separated',
});

export const ttlUnitSetting = (prefix: string, help: string) => ({
  flag: '--ttl-unit <unit>',
  env: `${prefix}_TTL_UNIT`,
  default: 'minutes',
  schema: z.enum(['minutes', 'seconds'], 'must be minutes or seconds'),
  help,
});

export const logLevelSetting = (prefix: string) => ({
  flag: '--log-level <level>',
  env: `${prefix}_LOG_LEVEL`,
  default: 'info',
  schema: logLevel,
  help: 'silent, error, warn, info or debug',
});
