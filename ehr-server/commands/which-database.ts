/**
 * Finds and opens the database of a command: a SQLite file or a PostgreSQL address. A database in memory is refused.
 */
import type { Database } from 'better-sqlite3';
import { Option } from 'commander';
import { refuseForeign } from '#service/foreign-database.ts';
import type { Setting } from '#service/process/command-line/settings.ts';
import { openSqlite } from '#service/sqlite.ts';
import { ehrSettings } from '../config.ts';
import { IN_MEMORY, isOtherAddress, isPostgres, withoutSecrets } from '../database/address.ts';
import { ownDatabaseOfAnyVersion } from '../database/own-database.ts';
import { CommandError, EXIT, factOf } from './command.ts';

/** A server setting as an option of a command: the same flag, variable and default. */
export function optionOf({ flag, help, env, default: fallback }: Setting): Option {
  return new Option(flag, `${help} (${fallback === undefined ? '' : `default: ${fallback}, `}env: ${env})`);
}

/**
 * Read the value of a setting. The flag wins over the variable, which wins over the default.
 * @throws CommandError naming the setting that cannot be used
 */
export function settingOf<Value>(
  setting: Setting<Value>,
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Value {
  const parsed = setting.schema.safeParse(given ?? env[setting.env] ?? setting.default);
  if (parsed.success) return parsed.data;
  throw new CommandError(
    `${setting.flag.split(' ')[0]} (environment variable ${setting.env}) cannot be used: ${parsed.error.issues[0]?.message}.`,
    { exitCode: EXIT.usage },
  );
}

/**
 * The SQLite file that a database setting names.
 * @throws CommandError for a database in memory, for another address, and for PostgreSQL with `instead`, the
 *   command to type
 */
export function sqliteFileOf(database: string, instead: string): string {
  if (isPostgres(database)) {
    throw new CommandError(
      `${withoutSecrets(database)} is a PostgreSQL database, which has tools of its own. Please type, with the address in EHR_DATABASE:\n  ${instead}`,
      { exitCode: EXIT.usage },
    );
  }
  // There may be a password in it, so it is not repeated.
  if (isOtherAddress(database)) {
    throw new CommandError(
      `--database (${ehrSettings.database.env}) must be a SQLite file or an address that begins with postgres://.`,
      { exitCode: EXIT.usage },
    );
  }
  if (database === IN_MEMORY) {
    throw new CommandError(
      'A database in memory lives and ends with its server. Please name a file with --database (EHR_DATABASE).',
      { exitCode: EXIT.usage },
    );
  }
  return database;
}

/**
 * Open a file read-only. Neither the file nor a server that has it open is disturbed.
 * @param aim what fails when `look` throws, such as `read the audit of`
 * @throws CommandError when it is no database of this server, or `look` throws
 */
export function openReadOnly(file: string, aim: string, look: (db: Database) => void): Database {
  requireDatabase(file);
  let db: Database | undefined;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true });
    look(db);
    return db;
  } catch (cause) {
    db?.close();
    throw new CommandError(`Failed to ${aim} ${file}: ${factOf(cause)}.`, { cause });
  }
}

/** @throws CommandError when there is no such file, or it is no database of this server */
function requireDatabase(file: string): void {
  try {
    if (refuseForeign(file, ownDatabaseOfAnyVersion) !== 'nothing') return;
  } catch (cause) {
    throw new CommandError(factOf(cause), { cause });
  }
  throw new CommandError(
    `There is no database ${file}. Please name the one that the server uses with ${ehrSettings.database.flag.split(' ')[0]} (${ehrSettings.database.env}).`,
  );
}
