/** The settings that several parties have. `prefix` begins the names of their environment variables. */
import { z } from 'zod';
import { listenHost, logLevel, origins } from './settings.ts';

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
