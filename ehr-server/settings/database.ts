/** Settings of a database server. A SQLite file needs none of them. */
import { type SettingsTable, wholeNumber } from '#service/process/command-line/settings.ts';

export const databaseSettings = {
  databasePool: {
    flag: '--database-pool <number>',
    env: 'EHR_DATABASE_POOL',
    default: '10',
    schema: wholeNumber(3, 1_000),
    help: 'connections that the sessions, links and the audit may open to PostgreSQL',
  },
  databaseTimeout: {
    flag: '--database-timeout <ms>',
    env: 'EHR_DATABASE_TIMEOUT',
    default: '5000',
    schema: wholeNumber(100, 600_000),
    help: 'longest that PostgreSQL may take over a statement or to give a connection; for a lock half of it',
  },
} as const satisfies SettingsTable;
