/** Tells what `--database` names: a file, an address of PostgreSQL, or nothing but memory. */
import { isAddress } from '#service/process/command-line/settings.ts';

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
  const address = addressOf(database);
  if (!address) return 'the PostgreSQL address given';
  const { protocol, username, host, pathname } = address;
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/**
 * The address of a PostgreSQL server. Undefined: it cannot be read for certain. A sign such as `/` or `#` in
 * a password ends what is read as the host, and then a part of the password would be looked up and told.
 */
export function addressOf(database: string): URL | undefined {
  const [, rest = '@'] = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(database) ?? [];
  if (rest.includes('@') || !URL.canParse(database)) return undefined;
  const address = new URL(database);
  return [address.username, address.password, address.pathname].every(isDecodable) ? address : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
