/** Databases on the run's own PostgreSQL, or on the one that `EHR_TEST_DATABASE_URL` names. */

import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { openStore } from '#ehr-server/store/open-store.ts';
import type { Store, StoreOptions } from '#ehr-server/store/store.ts';
import { createDatabaseOn, dropDatabase, runOn } from './databases.ts';

type TestPostgres = {
  /** Creates an empty database with a unique name. It is removed at the end of the run. */
  createDatabase(): Promise<string>;
  /** The address of the one database of this file, for a test that leaves it as it is. */
  database(): Promise<string>;
  /**
   * Creates a schema in the database of this file, and returns the address under which it holds all tables:
   * to create a database takes four times as long.
   */
  createSchema(): Promise<string>;
};

/** Call it once in a test file. */
export function usePostgres(): TestPostgres {
  const created: { url: string; serverUrl: string }[] = [];
  afterAll(async () => {
    // The run's own server is deleted with its databases at the end of the run.
    if (named()) await Promise.all(created.map(({ url, serverUrl }) => dropDatabase(url, serverUrl)));
  });
  let shared: Promise<string> | undefined;
  let schemas = 0;
  const createDatabase = async () => {
    const serverUrl = await testServerUrl();
    const url = await createDatabaseOn(serverUrl);
    created.push({ url, serverUrl });
    return url;
  };
  const database = () => {
    shared ??= createDatabase();
    return shared;
  };
  const createSchema = async () => {
    const url = new URL(await database());
    const name = `test_${++schemas}`;
    await runOn(url.href, `CREATE SCHEMA ${name}`);
    url.searchParams.set('options', `-c search_path=${name}`);
    return url.href;
  };
  return { createDatabase, database, createSchema };
}

const named = () => process.env.EHR_TEST_DATABASE_URL;

async function testServerUrl(): Promise<string> {
  const url = named();
  if (url) return url;
  const response = await fetch(inject('postgresBroker'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

type Options = Pick<StoreOptions, 'audit' | 'failedMatchesPerHour'>;

type StoreOfFile = {
  url: string;
  /** The store that is open with these options, with an audit unless they say otherwise. A test may close it. */
  open(options?: Options): Promise<Store>;
  /** Another one on the same tables, as a second process has it open. */
  openBeside(): Promise<Store>;
};

/** Only entries older than the horizon of the audit can be deleted. */
const EMPTY = `UPDATE audit_horizon SET before = 9223372036854775807;
  DELETE FROM audit; DELETE FROM sessions; DELETE FROM exchange_tokens; DELETE FROM links;
  DELETE FROM failed_matches; UPDATE audit_horizon SET before = 0`;

/**
 * The store on PostgreSQL for a test file. To make its tables and to connect costs more than most tests do, so
 * a file does it once, and each test finds the tables emptied. Call it once in a test file, and what it returns
 * once in each test that needs a store.
 */
export function useStore({ createSchema } = usePostgres()): () => Promise<StoreOfFile> {
  const stores = new Map<string, Store>();
  let tables: Promise<{ url: string; pool: pg.Pool }> | undefined;
  afterAll(async () => {
    for (const store of stores.values()) await store.close();
    await (await tables)?.pool.end();
  });
  const storeOf = async (url: string, name: string, options?: Options) => {
    const known = stores.get(name);
    if (known) return known;
    const store = await openStore({ database: url, audit: true, ...options });
    const { close } = store;
    store.close = () => {
      stores.delete(name);
      return close();
    };
    stores.set(name, store);
    return store;
  };
  const makeTables = async () => {
    const url = await createSchema();
    await storeOf(url, '{}');
    return { url, pool: new pg.Pool({ connectionString: url, max: 1 }) };
  };
  return async () => {
    tables ??= makeTables();
    const { url, pool } = await tables;
    await pool.query(EMPTY);
    return {
      url,
      open: (options) => storeOf(url, JSON.stringify(options ?? {}), options),
      openBeside: () => storeOf(url, 'beside'),
    };
  };
}
