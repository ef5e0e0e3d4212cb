/** The three parties of the demo: what to run, with which settings, and how to tell that each is ready. */
import { personaList } from '#mis-fixtures/personas.ts';
import type { Prepared } from './prepare.ts';
import type { DemoConfig } from './settings.ts';

export type PartyName = 'ehr' | 'auth' | 'client';

export type Party = {
  readonly name: PartyName;
  /** As in a sentence: `the EHR server`. */
  readonly title: string;
  /** The built program. */
  readonly file: string;
  /** Settings are passed in the environment: every user of the machine can read a command line. */
  readonly env: Readonly<Record<string, string>>;
  /** URLs that answer 200 once the party is ready. */
  readonly readyUrls: readonly string[];
};

export type Addresses = {
  readonly ehr: string;
  readonly internal: string;
  readonly auth: string;
  readonly client: string;
};

export function addressesOf(config: DemoConfig): Addresses {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return {
    ehr: at(config.ehrPort),
    internal: at(config.ehrInternalPort),
    auth: at(config.authPort),
    client: at(config.clientPort),
  };
}

export function partiesOf(config: DemoConfig, prepared: Prepared): Party[] {
  const { ehr, internal, auth, client } = addressesOf(config);
  const origins = [client, client.replace('127.0.0.1', 'localhost')].join(',');
  const secrets = {
    EHR_INTERNAL_USER: prepared.internalUser,
    EHR_INTERNAL_PASSWORD: prepared.internalPassword,
  };
  const orphans = personaList.filter((persona) => !persona.hasCorrespondenceEntry).map((persona) => persona.signIn);
  return [
    {
      name: 'ehr',
      title: 'the EHR server',
      file: prepared.programs.ehr,
      readyUrls: [`${ehr}/readyz`, `http://127.0.0.1:${config.ehrControlPort}/clock`],
      env: {
        ...secrets,
        EHR_HOST: '127.0.0.1',
        EHR_PORT: String(config.ehrPort),
        EHR_INTERNAL_PORT: String(config.ehrInternalPort),
        EHR_CONTROL_PORT: String(config.ehrControlPort),
        EHR_DATABASE: prepared.ehrDatabase,
        EHR_MIS_DATABASE: prepared.misDatabase,
        EHR_ORIGINS: origins,
        EHR_LOG_LEVEL: config.logLevel,
      },
    },
    {
      name: 'auth',
      title: 'the authorization server',
      file: prepared.programs.auth,
      readyUrls: [`${auth}/readyz`, `http://127.0.0.1:${config.authControlPort}/clock`],
      env: {
        ...secrets,
        AUTH_HOST: '127.0.0.1',
        AUTH_PORT: String(config.authPort),
        AUTH_CONTROL_PORT: String(config.authControlPort),
        AUTH_DATABASE: prepared.authDatabase,
        AUTH_EHR_URL: internal,
        AUTH_ORIGINS: origins,
        AUTH_WITHOUT_CORRESPONDENCE: orphans.join(','),
        AUTH_LOG_LEVEL: config.logLevel,
      },
    },
    {
      name: 'client',
      title: 'the client',
      file: prepared.programs.client,
      readyUrls: [`${client}/healthz`],
      env: {
        CLIENT_HOST: '127.0.0.1',
        CLIENT_PORT: String(config.clientPort),
        CLIENT_EHR_URL: ehr,
        CLIENT_AUTH_URL: auth,
        CLIENT_SMS_URL: `${auth}/sms`,
        CLIENT_LOG_LEVEL: config.logLevel,
      },
    },
  ];
}
