/** The settings of the demo: one table for help, environment, validation and documentation. */
import { z } from 'zod';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import {
  logLevel,
  onOff,
  type Program,
  readSettings,
  type SettingsTable,
  type Values,
  wholeNumber,
} from '#service/process/command-line/settings.ts';
import type { ClockedServers } from './commands/clocks.ts';

/** Ports must be fixed, because the demo needs its addresses before it starts. */
const port = (name: string, usual: number, help: string) => ({
  flag: `--${name}-port <number>`,
  env: `${name.toUpperCase().replaceAll('-', '_')}_PORT`,
  default: String(usual),
  schema: wholeNumber(1, 65_535),
  help,
});

export const demoSettings = {
  ehrPort: port('ehr', 4100, 'port of the EHR server'),
  ehrInternalPort: port(
    'ehr-internal',
    4102,
    'port where the EHR server serves the authorization server alone',
  ),
  ehrControlPort: port('ehr-control', 4101, "port where the EHR server's clock is moved"),
  authPort: port('auth', 4200, 'port of the authorization server'),
  authControlPort: port('auth-control', 4201, "port where the authorization server's clock is moved"),
  clientPort: port('client', 4300, 'port of the client'),
  consolePort: port('console', 4400, 'port of the console'),
  console: {
    flag: '--no-console',
    env: 'DEMO_CONSOLE',
    default: 'on',
    schema: onOff,
    help: 'run without the console, so that no message passes a proxy (variable: off)',
  },
  published: {
    flag: '--published',
    env: 'DEMO_PUBLISHED',
    schema: onOff,
    help: "answer at this machine's other addresses too, as a container whose ports are published must; the names of loopback stay the only ones",
  },
  patients: {
    flag: '--patients <number>',
    env: 'DEMO_PATIENTS',
    schema: wholeNumber(0, 10_000_000).optional(),
    help: 'how many patients to invent beside the personas when the population is made; absent: 1000',
  },
  data: {
    flag: '--data <directory>',
    env: 'DEMO_DATA',
    default: '.data',
    schema: z.string().min(1, 'must name a directory'),
    help: 'where the databases, the internal password and the moves of the clock are kept',
  },
  fresh: {
    flag: '--fresh',
    env: 'DEMO_FRESH',
    schema: onOff,
    help: 'start over: delete what earlier runs kept there',
  },
  logLevel: {
    flag: '--log-level <level>',
    env: 'DEMO_LOG_LEVEL',
    default: 'warn',
    schema: logLevel,
    help: 'what the parties tell of their calls: silent, error, warn, info or debug',
  },
} as const satisfies SettingsTable;

export type DemoConfig = Values<typeof demoSettings>;

const program: Program = {
  name: programName('demo'),
  description:
    'Sets everything up and runs the EHR server, the mock authorization server, the mock client and the console.',
  epilogue: [
    'Examples:',
    commandLine('demo'),
    ...['--fresh --patients 100000', '--client-port 8080'].map((flags) => commandLine('demo', flags)),
  ].join('\n  '),
};

/** Reads the settings from flags and environment. Returns undefined when `--help` was printed. */
export function readDemoConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DemoConfig | undefined {
  return readSettings(program, demoSettings, argv, env);
}

const OWNERS = {
  ehrPort: 'the EHR server',
  ehrControlPort: "the EHR server's control",
  ehrInternalPort: "the EHR server's internal listener",
  authPort: 'the authorization server',
  authControlPort: "the authorization server's control",
  clientPort: 'the client',
  consolePort: 'the console',
} as const;

export function portsOf(config: DemoConfig): NeededPort[] {
  const names = Object.keys(OWNERS) as (keyof typeof OWNERS)[];
  return names
    .filter((name) => name !== 'consolePort' || config.console)
    .map((name) => need(config[name], OWNERS[name], demoSettings[name]));
}

function need(port: number, who: string, { flag }: { flag: string }): NeededPort {
  const freePort = port < 60_000 ? port + 1_000 : port - 1_000;
  return { port, who, flag: flag.split(' ')[0] as string, freePort };
}

export type NeededPort = {
  port: number;
  who: string;
  flag: string;
  /** Another port, to be proposed when this one is in use. */
  freePort: number;
};

export const SERVER_TITLES = { ehr: OWNERS.ehrPort, auth: OWNERS.authPort } as const;

export function clockedServersOf(
  config: Pick<DemoConfig, 'ehrControlPort' | 'authControlPort'>,
): ClockedServers {
  return {
    ehr: { title: SERVER_TITLES.ehr, port: config.ehrControlPort },
    auth: { title: SERVER_TITLES.auth, port: config.authControlPort },
  };
}

/** The command with the typed flags, then further ones, which take precedence. Quoted for a shell. */
export function commandAgain(typed: readonly string[], ...flags: readonly string[]): string {
  return [programName('demo'), ...[...typed, ...flags].map(quoted)].join(' ');
}

export function quoted(flag: string): string {
  return /^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`;
}
