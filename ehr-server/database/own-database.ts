/** What a SQLite file must hold to be used by this server and its commands. */
import type { OwnDatabase } from '#service/foreign-database.ts';
import { SCHEMA_VERSION } from '../store/sqlite/schema.ts';

/** Tables of the sessions, since their first version, and of the patients. One file may hold both. */
const TABLES = [
  ['sessions', 'links'],
  ['mis_meta', 'patient'],
] as const;

/** The database of the sessions. */
export const ownDatabase: OwnDatabase = {
  what: 'the database',
  setting: '--database (EHR_DATABASE)',
  tables: TABLES,
  newestVersion: SCHEMA_VERSION,
};

/** The same, also where it was written by a newer version of the server. */
export const ofAnyVersion: OwnDatabase = { ...ownDatabase, newestVersion: Number.MAX_SAFE_INTEGER };

/** The database of the patients, in the file of the sessions. */
export const ownPopulation: OwnDatabase = { ...ownDatabase, what: 'the population in' };

/** The database of the patients, in a file of its own. */
export const ownMisDatabase: OwnDatabase = { ...ownPopulation, setting: '--mis-database (EHR_MIS_DATABASE)' };
