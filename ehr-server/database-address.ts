/** Tells what `--database` names: a file, an address of PostgreSQL, or nothing but memory. */
import { isAddress } from '#service/process/settings.ts';

/** The value that names no database: everything is kept in memory and ends with the server. */
export const IN_MEMORY = ':memory:';

/** Whether the text is an address of PostgreSQL. */
export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:/i.test(database);
}

/** Whether the text is an address of another kind: nothing here can open it, and it is no file name. */
export function isOtherAddress(database: string): boolean {
  return isAddress(database) && !isPostgres(database);
}

/**
 * The address of a database server without its password and options, for messages. A file name is unchanged.
 */
export function withoutSecrets(database: string): string {
  if (!isPostgres(database)) return database;
  if (!URL.canParse(database)) return 'the PostgreSQL address given';
  const { protocol, username, host, pathname } = new URL(database);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
