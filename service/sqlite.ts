/**
 * The one file that loads better-sqlite3. It checks that the installed module fits this Node, and says how to
 * get one that does.
 */
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import type { Database, Options } from 'better-sqlite3';

type Driver = typeof Sqlite;
type SqliteError = InstanceType<Driver['SqliteError']>;
type NodeVersions = { readonly node: string; readonly napi?: string | undefined };

/**
 * The Node-API version that better-sqlite3 13 is built for. An older Node crashes when it loads the module.
 */
const NODE_API = 10;

/** The better-sqlite3 version for every Node that has this Node-API. It includes its compiled modules. */
const CURRENT = '13.2.0';

/** The better-sqlite3 version for Node 20. It crashes on Node 24.19 and newer. */
const FOR_NODE_20 = '12.11.1';

/** No module that fits this Node can be loaded. The message says what is missing and how to get it. */
export class SqliteUnavailable extends Error {
  override name = 'SqliteUnavailable';
  /** The fact alone, without the remedy. */
  readonly fact: string;
  constructor(fact: string, { remedy, ...options }: ErrorOptions & { remedy: string }) {
    super(`${fact}. ${remedy}`, options);
    this.fact = fact;
  }
}

/** A database cannot be opened. The message names the file and the remedy, so nothing is added to it. */
export class OpenError extends Error {
  override name = 'OpenError';
}

let driver: Driver | undefined;

/**
 * Open a database file, or a database in memory for `:memory:`.
 * @throws {SqliteUnavailable} where no module fits this Node
 * @throws {SqliteError} where SQLite cannot open the file
 */
export function openSqlite(file: string, options?: Options): Database {
  return new (loadSqlite())(file, options);
}

/** Whether a database has a table of this name. */
export function hasTable(db: Database, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/**
 * Load the class of all databases.
 * @throws {SqliteUnavailable} where no module fits this Node
 */
export function loadSqlite(): Driver {
  driver ??= loadSqliteFor(import.meta.url, process.versions);
  return driver;
}

/** Return what is missing to open a database file in this Node. Undefined where one can be opened. */
export function sqliteProblem(): string | undefined {
  try {
    loadSqlite();
    return undefined;
  } catch (error) {
    if (error instanceof SqliteUnavailable) return error.fact;
    throw error;
  }
}

/** Whether SQLite threw this error. */
export function isSqliteError(error: unknown): error is SqliteError {
  return driver !== undefined && error instanceof driver.SqliteError;
}

/** The path of the module, for other threads and processes. Their database was opened here before. */
export function sqliteModule(): string {
  return createRequire(import.meta.url).resolve('better-sqlite3');
}

/**
 * Load the module that is installed for the file `from`.
 * @throws {SqliteUnavailable} instead of loading a module that would crash
 */
export function loadSqliteFor(from: string, versions: NodeVersions): Driver {
  const load = createRequire(from);
  const wanted = versionFor(versions);
  const installed = installedVersion(load);
  if (installed?.split('.')[0] !== wanted.split('.')[0]) {
    const state =
      installed === undefined ? 'is not installed' : `${installed} does not run on Node ${versions.node}`;
    throw new SqliteUnavailable(`better-sqlite3 ${state}`, {
      remedy: `Please run "npm install better-sqlite3@${wanted}", then this again`,
    });
  }
  try {
    const found = load('better-sqlite3') as Driver;
    // Opening a database loads the compiled part.
    new found(':memory:').close();
    return found;
  } catch (cause) {
    throw new SqliteUnavailable(whyUnusable(wanted, versions.node, cause), {
      cause,
      remedy:
        'Please install python3, make and a C++ compiler, run "npm explore better-sqlite3 -- npm run build-release", then this again',
    });
  }
}

function versionFor({ node, napi }: NodeVersions): string {
  if (Number(napi) >= NODE_API) return CURRENT;
  if (node.startsWith('20.')) return FOR_NODE_20;
  throw new SqliteUnavailable(`Node ${node} cannot load better-sqlite3`, {
    remedy: 'Please install Node 22.14, 24 or newer (or 20.19) from https://nodejs.org',
  });
}

function installedVersion(load: NodeJS.Require): string | undefined {
  try {
    return (load('better-sqlite3/package.json') as { version: string }).version;
  } catch {
    return undefined;
  }
}

function whyUnusable(version: string, node: string, cause: unknown): string {
  const [fact] = String(cause instanceof Error ? cause.message : cause).split(/\n|\. /);
  const state =
    version === CURRENT
      ? `brings no module that loads on this system, ${process.platform} on ${process.arch}`
      : `is not compiled for Node ${node}, and Node 22.14 or newer would need no compiler`;
  return `better-sqlite3 ${version} ${state} (${fact})`;
}
