/** Opens connections to PostgreSQL: their number, timeouts and settings. */
import pg from 'pg';
import { addressOf } from '../../database/address.ts';

export type PoolOptions = {
  /** The longest time for a statement and for getting a connection. A lock may take half of it. */
  timeoutMs?: number;
  /** The name that the database's own tools show for the connection. */
  applicationName?: string;
  /** Whether COMMIT waits for the disk. If not, a crash of the machine may lose the newest commits. */
  durable?: boolean;
};

const DEFAULT_TIMEOUT_MS = 5_000;
/** The client waits this much longer than the database, so that the error arrives on the same connection. */
const CLIENT_MARGIN_MS = 1_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Create a pool that connects when it is first used. A broken connection is dropped, and the next query opens
 * another.
 * @throws Error when `url` cannot be read, without repeating it
 */
export function openPool(url: string, connections: number, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(url, options),
    ...timeouts(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    max: connections,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  // The query under way fails anyway. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * The settings that all our connections share.
 * @throws Error when `url` cannot be read, without repeating it
 */
export function connectionConfig(
  url: string,
  { applicationName = 'ehr-server', durable = true }: PoolOptions = {},
) {
  const { address, options } = readUrl(url);
  return {
    connectionString: address,
    application_name: applicationName,
    keepAlive: true,
    types: types(),
    options: [...options, ...Object.entries(sessionSettings(durable)).map(setting)].join(' '),
  } satisfies pg.ClientConfig;
}

function timeouts(timeoutMs: number): pg.PoolConfig {
  return {
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    lock_timeout: Math.ceil(timeoutMs / 2),
    idle_in_transaction_session_timeout: timeoutMs + CLIENT_MARGIN_MS,
    query_timeout: timeoutMs + CLIENT_MARGIN_MS,
  };
}

/**
 * All statements look up a few rows by a key. Plans are made while tables may still be empty, and are kept.
 * So only index scans are allowed: they are right at any size.
 */
const sessionSettings = (durable: boolean): Record<string, string> => ({
  synchronous_commit: durable ? 'on' : 'off',
  default_transaction_isolation: 'read committed',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
});

function setting([name, value]: [string, string]): string {
  return `-c ${name}=${value.replaceAll(' ', '\\ ')}`;
}

/** In the driver, `options` of the URL replace those of the program. Here they are combined. */
function readUrl(url: string): { address: string; options: string[] } {
  const address = addressOf(url);
  if (!address) {
    throw new Error(
      'The database address cannot be read. Please write it as postgres://user:password@host:5432/database, with the signs / ? # @ % of the password as %2F %3F %23 %40 %25, or give the password by PGPASSWORD.',
    );
  }
  const options = address.searchParams.getAll('options');
  address.searchParams.delete('options');
  return { address: address.href, options };
}

/** 64-bit numbers here are times and ids. An unsafe integer throws, so that none is ever rounded. */
function types(): pg.TypeOverrides {
  const overrides = new pg.TypeOverrides();
  overrides.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new Error(`${text} of the database is beyond the safe whole numbers.`);
    return value;
  });
  return overrides;
}
