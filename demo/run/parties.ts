/** The programs of the demo: what to run, with which settings, and how to tell that each is ready. */

import { orphans } from '#mis-fixtures/personas.ts';
import type { PartyName, Prepared } from '../prepare/prepare.ts';
import { SEED } from '../prepare/seed.ts';
import type { DemoConfig } from '../settings.ts';

const LOOPBACK = '127.0.0.1';

const at = (port: number): string => `http://${LOOPBACK}:${port}`;

export type DemoParty = {
  readonly name: PartyName;
  readonly title: string;
  readonly file: string;
  /** Settings are passed in the environment: every user of the machine can read a command line. */
  readonly env: Readonly<Record<string, string>>;
  /** URLs that answer 200 once the party is ready. */
  readonly readyUrls: readonly string[];
};

export function addressesOf(config: DemoConfig) {
  return {
    ehr: at(config.ehrPort),
    internal: at(config.ehrInternalPort),
    auth: at(config.authPort),
    client: at(config.clientPort),
  };
}

/** What the demo decides for its console. */
export type ConsoleParts = {
  /** Needed for each of its requests. */
  readonly token: string;
  /** The ports of the servers themselves: the console's proxies have those of the settings. */
  readonly behind: { readonly ehr: number; readonly internal: number; readonly auth: number };
};

export function consoleAddress({ consolePort }: DemoConfig, { token }: ConsoleParts): string {
  return `${at(consolePort)}/?token=${token}`;
}

export function partiesOf(config: DemoConfig, prepared: Prepared, parts?: ConsoleParts): DemoParty[] {
  const { clientPort, logLevel } = config;
  const { programs } = prepared;
  const { ehr, auth, client } = addressesOf(config);
  const ports = portsOfServers(config, parts);
  const env = environmentOf(config, prepared, parts);
  const server = (name: 'ehr' | 'auth', title: string, port: number, control: number): DemoParty => {
    const readyUrls = [`${at(port)}/readyz`, `${at(control)}/clock`];
    return { name, title, file: programs[name], readyUrls, env };
  };
  const parties: DemoParty[] = [
    server('ehr', 'the EHR server', ports.ehr, config.ehrControlPort),
    server('auth', 'the authorization server', ports.auth, config.authControlPort),
    {
      name: 'client',
      title: 'the client',
      file: programs.client,
      readyUrls: [`${client}/healthz`],
      env: {
        CLIENT_HOST: LOOPBACK,
        CLIENT_PORT: String(clientPort),
        CLIENT_EHR_URL: ehr,
        CLIENT_AUTH_URL: auth,
        CLIENT_SMS_URL: `${auth}/sms`,
        CLIENT_LOG_LEVEL: logLevel,
      },
    },
  ];
  return parts ? [...parties, consoleParty(config, prepared, parts)] : parties;
}

function portsOfServers(config: DemoConfig, parts?: ConsoleParts): ConsoleParts['behind'] {
  return parts?.behind ?? { ehr: config.ehrPort, internal: config.ehrInternalPort, auth: config.authPort };
}

/** The settings of both servers. */
function environmentOf(config: DemoConfig, prepared: Prepared, parts?: ConsoleParts): DemoParty['env'] {
  const { clientPort, consolePort, logLevel } = config;
  const ports = portsOfServers(config, parts);
  const pages = parts ? [clientPort, consolePort] : [clientPort];
  const origins = pages.flatMap((port) => [at(port), `http://localhost:${port}`]).join(',');
  return {
    EHR_HOST: LOOPBACK,
    EHR_PORT: String(ports.ehr),
    EHR_INTERNAL_PORT: String(ports.internal),
    EHR_INTERNAL_USER: prepared.internalUser,
    EHR_INTERNAL_PASSWORD: prepared.internalPassword,
    EHR_CONTROL_PORT: String(config.ehrControlPort),
    EHR_DATABASE: prepared.ehrDatabase,
    EHR_MIS_DATABASE: prepared.misDatabase,
    EHR_ORIGINS: origins,
    EHR_LOG_LEVEL: logLevel,
    AUTH_HOST: LOOPBACK,
    AUTH_PORT: String(ports.auth),
    AUTH_CONTROL_PORT: String(config.authControlPort),
    AUTH_DATABASE: prepared.authDatabase,
    AUTH_EHR_URL: at(config.ehrInternalPort),
    AUTH_ORIGINS: origins,
    AUTH_CODE_HOST: LOOPBACK,
    AUTH_WITHOUT_CORRESPONDENCE: orphans.join(','),
    AUTH_LOG_LEVEL: logLevel,
  };
}

function consoleParty(config: DemoConfig, prepared: Prepared, { token, behind }: ConsoleParts): DemoParty {
  return {
    name: 'console',
    title: 'the console',
    file: prepared.programs.console,
    readyUrls: [`${at(config.consolePort)}/watching`],
    env: {
      EHR_INTERNAL_USER: prepared.internalUser,
      EHR_INTERNAL_PASSWORD: prepared.internalPassword,
      CONSOLE_PORT: String(config.consolePort),
      CONSOLE_EHR_PORT: String(config.ehrPort),
      CONSOLE_INTERNAL_PORT: String(config.ehrInternalPort),
      CONSOLE_AUTH_PORT: String(config.authPort),
      CONSOLE_EHR_URL: at(behind.ehr),
      CONSOLE_INTERNAL_URL: at(behind.internal),
      CONSOLE_AUTH_URL: at(behind.auth),
      CONSOLE_CLIENT_URL: at(config.clientPort),
      CONSOLE_EHR_CONTROL_URL: at(config.ehrControlPort),
      CONSOLE_AUTH_CONTROL_URL: at(config.authControlPort),
      CONSOLE_TOKEN: token,
      CONSOLE_PAGE: prepared.consolePage ?? '',
      CONSOLE_SEED: String(SEED),
      CONSOLE_LOG_LEVEL: config.logLevel,
    },
  };
}
