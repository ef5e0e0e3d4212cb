/**
 * Runs one test on every engine of the EHR server's store: SQLite in memory and in a file, and a real
 * PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { openDatabase } from '#ehr-server/store/open-database.ts';
import { openStore } from '#ehr-server/store/open-store.ts';
import { sqliteStore } from '#ehr-server/store/sqlite.ts';
import type { Store, StoreOptions } from '#ehr-server/store/store.ts';
import { openSqlite } from '#service/sqlite.ts';
import { runOn } from './postgres/databases.ts';
import { usePostgres } from './use-postgres.ts';

/** An empty database of one engine. */
export type Engine = {
  /** Opens a store on the database, as each process does. It is closed at the end of the test. */
  open(options?: StoreOptions): Promise<Store>;
  /** Runs SQL on the database beside the stores. */
  exec(sql: string): Promise<unknown>;
};

type Body = (engine: Engine) => Promise<void>;

export type EachEngine = {
  /** Runs the test on each engine. */
  (title: string, body: Body): void;
  /** Runs the test on each engine that several processes can share. */
  shared(title: string, body: Body): void;
};

/** Creates the test functions. Call it once in a test file. */
export function onEachEngine(): EachEngine {
  const postgres = usePostgres();
  const shared: Record<string, () => Promise<Engine>> = {
    'SQLite in a file': async () => sqliteInFile(),
    PostgreSQL: async () => {
      const url = await postgres.createDatabase();
      return engineAt(url, (sql) => runOn(url, sql));
    },
  };
  const define = (engines: Record<string, () => Promise<Engine>>) => (title: string, body: Body) => {
    for (const [name, start] of Object.entries(engines)) test(`${title} (${name})`, async () => body(await start()));
  };
  const all = { 'SQLite in memory': async () => sqliteInMemory(), ...shared };
  return Object.assign(define(all), { shared: define(shared) });
}

function sqliteInMemory(): Engine {
  const db = openDatabase(':memory:');
  let store: Store | undefined;
  return {
    async open(options) {
      store ??= closedAtEnd(sqliteStore(db, options));
      return store;
    },
    exec: async (sql) => db.exec(sql),
  };
}

function sqliteInFile(): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ehr.sqlite');
  return engineAt(file, async (sql) => {
    const db = openSqlite(file);
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
  });
}

function engineAt(database: string, exec: Engine['exec']): Engine {
  return {
    open: async ({ onCommit, ...options } = { audit: true }) =>
      closedAtEnd(await openStore({ database, ...options }, onCommit)),
    exec,
  };
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
