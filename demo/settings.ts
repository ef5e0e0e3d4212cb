/**
 * The settings of the demo: one table for `--help`, the environment, the validation and the documentation.
 */
import { z } from 'zod';
import {
  logLevel,
  onOff,
  type Program,
  readSettings,
  SettingsError,
  type SettingsTable,
  type Values,
  wholeNumber,
} from '#service/process/settings.ts';
import type { ClockedServers } from './commands/clock-offsets.ts';
import { worldNames } from './worlds/names.ts';
import { portsOfWorld } from './worlds/setup.ts';

/** Ports must be fixed, because the demo needs its addresses before it starts. */
const port = wholeNumber(1, 65_535);

export const demoSettings = {
  ehrPort: {
    flag: '--ehr-port <number>',
    env: 'EHR_PORT',
    default: '4100',
    schema: port,
    help: 'port of the EHR server',
  },
  ehrInternalPort: {
    flag: '--ehr-internal-port <number>',
    env: 'EHR_INTERNAL_PORT',
    default: '4102',
    schema: port,
    help: 'port where the EHR server serves the authorization server alone',
  },
  ehrControlPort: {
    flag: '--ehr-control-port <number>',
    env: 'EHR_CONTROL_PORT',
    default: '4101',
    schema: port,
    help: "port where the EHR server's clock is moved",
  },
  authPort: {
    flag: '--auth-port <number>',
    env: 'AUTH_PORT',
    default: '4200',
    schema: port,
    help: 'port of the authorization server',
  },
  authControlPort: {
    flag: '--auth-control-port <number>',
    env: 'AUTH_CONTROL_PORT',
    default: '4201',
    schema: port,
    help: "port where the authorization server's clock is moved",
  },
  clientPort: {
    flag: '--client-port <number>',
    env: 'CLIENT_PORT',
    default: '4300',
    schema: port,
    help: 'port of the client',
  },
  consolePort: {
    flag: '--console-port <number>',
    env: 'CONSOLE_PORT',
    default: '4400',
    schema: port,
    help: 'port of the console',
  },
  console: {
    flag: '--no-console',
    env: 'DEMO_CONSOLE',
    default: 'on',
    schema: onOff,
    help: 'run without the console, so that no message passes a proxy (variable: off)',
  },
  worlds: {
    flag: '--worlds <number or names>',
    env: 'DEMO_WORLDS',
    schema: worldNames.optional(),
    help: 'run so many demos at once, each with a console at /w/NAME/ and parties, clock and people of its own, in memory; names such as anna,ci-7 instead of 1, 2, ...',
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
  fresh: { flag: '--fresh', env: 'DEMO_FRESH', schema: onOff, help: 'start over: delete what earlier runs kept there' },
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
  name: 'npm run demo --',
  description:
    'Sets everything up and runs the EHR server, the mock authorization server, the mock client and the console.',
  epilogue:
    'Examples:\n  npm run demo\n  npm run demo -- --fresh --patients 100000\n  npm run demo -- --client-port 8080\n  npm run demo -- --worlds 10',
};

/** Reads the settings from flags and environment. Returns undefined when `--help` was printed. */
export function readDemoConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DemoConfig | undefined {
  const config = readSettings(program, demoSettings, argv, env);
  if (config?.worlds && !config.console) throw new SettingsError('--worlds needs the console: please leave out one.');
  return config;
}

/** Returns the ports that the demo needs, each with its party and its setting. */
export function portsOf(config: DemoConfig): NeededPort[] {
  const { ehrPort, ehrInternalPort, ehrControlPort, authPort, authControlPort, clientPort, consolePort } = demoSettings;
  const ofConsole = need(config.consolePort, 'the console', consolePort);
  if (config.worlds) return [ofConsole];
  return [
    need(config.ehrPort, 'the EHR server', ehrPort),
    need(config.ehrControlPort, "the EHR server's control", ehrControlPort),
    need(config.ehrInternalPort, "the EHR server's internal listener", ehrInternalPort),
    need(config.authPort, 'the authorization server', authPort),
    need(config.authControlPort, "the authorization server's control", authControlPort),
    need(config.clientPort, 'the client', clientPort),
    ...(config.console ? [ofConsole] : []),
  ];
}

/** Returns the ports of the worlds, which follow that of the console. */
export function portsOfWorlds({ worlds = [], consolePort }: Pick<DemoConfig, 'worlds' | 'consolePort'>): NeededPort[] {
  return worlds.flatMap((name, index) =>
    Object.entries(portsOfWorld(consolePort, index)).map(([what, port]) => ({
      ...need(consolePort, '', demoSettings.consolePort),
      port,
      who: `the world ${name} (${what})`,
    })),
  );
}

function need(port: number, who: string, setting: { flag: string; env: string }): NeededPort {
  const freePort = port < 60_000 ? port + 1_000 : port - 1_000;
  return { port, who, flag: setting.flag.split(' ')[0] as string, env: setting.env, freePort };
}

export type NeededPort = {
  port: number;
  who: string;
  flag: string;
  env: string;
  /** Another port, to be proposed when this one is in use. */
  freePort: number;
};

/** Returns the two servers whose clocks can be moved. */
export function clockedServersOf(config: DemoConfig): ClockedServers {
  return {
    ehr: { title: 'the EHR server', port: config.ehrControlPort },
    auth: { title: 'the authorization server', port: config.authControlPort },
  };
}
