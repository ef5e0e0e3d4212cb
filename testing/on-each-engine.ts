/** Runs a test on every engine of the EHR server's store: memory, SQLite in a file, a real PostgreSQL. */

import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { memoryStore } from '#ehr-server/store/memory.ts';
import { openStore } from '#ehr-server/store/open-store.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { sqliteStore } from '#ehr-server/store/sqlite/store.ts';
import type { Store, StoreOptions } from '#ehr-server/store/store.ts';
import { openSqlite } from '#service/sqlite.ts';
import { runOn } from './postgres/databases.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { usePostgres } from './use-postgres.ts';

/** An engine without data. */
export type Engine = {
  /** Opens a store, as each process does. It is closed at the end of the test. */
  open(options?: StoreOptions): Promise<Store>;
};

/** An engine whose data outlives the store. */
export type Database = Engine & {
  /** Opens a second store on the same data. On SQLite it does not ask for the lock that a server has. */
  openBeside(): Promise<Store>;
  /** Runs SQL on the database beside the stores. */
  exec(sql: string): Promise<unknown>;
};

export type EachEngine = {
  /** Runs the test on each engine. */
  (title: string, body: (engine: Engine) => Promise<void>): void;
  /** Runs the test on each database, which several processes can share. */
  databases(title: string, body: (database: Database) => Promise<void>): void;
};

/** Creates the test functions. Call it once in a test file. */
export function onEachEngine(): EachEngine {
  const postgres = usePostgres();
  const databases: Record<string, () => Promise<Database>> = {
    'SQLite in a file': async () => sqliteInFile(),
    PostgreSQL: async () => {
      const url = await postgres.createDatabase();
      return engineAt(url, (sql) => runOn(url, sql));
    },
  };
  const engines: Record<string, () => Promise<Engine>> = { memory: async () => inMemory(), ...databases };
  return Object.assign(defineOn(engines), { databases: defineOn(databases) });
}

function defineOn<Kind extends Engine>(kinds: Record<string, () => Promise<Kind>>) {
  return (title: string, body: (kind: Kind) => Promise<void>) => {
    for (const [name, start] of Object.entries(kinds))
      test(`${title} (${name})`, async () => body(await start()));
  };
}

function inMemory(): Engine {
  return { open: async (options) => closedAtEnd(memoryStore(options)) };
}

function sqliteInFile(): Database {
  const folder = temporaryFolder();
  const file = join(folder, 'ehr.sqlite');
  const engine = engineAt(file, async (sql) => {
    const db = openSqlite(file);
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
  });
  return { ...engine, openBeside: async () => closedAtEnd(sqliteStore(openDatabase(file))) };
}

function engineAt(database: string, exec: Database['exec']): Database {
  const open: Database['open'] = async ({ onCommit, ...options } = { audit: true }) =>
    closedAtEnd(await openStore({ database, ...options }, onCommit ? { onCommit } : {}));
  return { open, openBeside: open, exec };
}

function closedAtEnd(store: Store): Store {
  let closed: Promise<void> | undefined;
  const close = store.close;
  store.close = () => {
    closed ??= close();
    return closed;
  };
  onTestFinished(() => store.close());
  return store;
}
