/** The settings of both servers, as environment: every user of the machine can read a command line. */
import { orphans } from '#mis-fixtures/personas.ts';
import type { LogLevel } from '#service/process/log.ts';

export type ServersSetup = {
  readonly misDatabase: string;
  readonly internalUser: string;
  readonly internalPassword: string;
  readonly logLevel: LogLevel;
};

const LOOPBACK = '127.0.0.1';

export const at = (port: number): string => `http://${LOOPBACK}:${port}`;

/** @param internal port for the authorization server alone @param pages ports of calling pages */
export function serverEnvironment(setup: ServersSetup, internal: number, pages: readonly number[]) {
  const origins = pages.flatMap((port) => [at(port), `http://localhost:${port}`]).join(',');
  return {
    EHR_INTERNAL_USER: setup.internalUser,
    EHR_INTERNAL_PASSWORD: setup.internalPassword,
    EHR_MIS_DATABASE: setup.misDatabase,
    EHR_ORIGINS: origins,
    EHR_LOG_LEVEL: setup.logLevel,
    AUTH_EHR_URL: at(internal),
    AUTH_ORIGINS: origins,
    AUTH_CODE_HOST: LOOPBACK,
    AUTH_WITHOUT_CORRESPONDENCE: orphans.join(','),
    AUTH_LOG_LEVEL: setup.logLevel,
  };
}
