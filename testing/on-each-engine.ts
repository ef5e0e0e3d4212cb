/** Runs a test on every engine of the EHR server's store: memory, SQLite in a file, a real PostgreSQL. */

import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { memoryStore } from '#ehr-server/store/memory.ts';
import { openStore } from '#ehr-server/store/open-store.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { sqliteStore } from '#ehr-server/store/sqlite/store.ts';
import type { Store, StoreOptions } from '#ehr-server/store/store.ts';
import type { RequirementId } from '#protocol/requirements.ts';
import { openSqlite } from '#service/sqlite.ts';
import { runOn } from './postgres/databases.ts';
import { useStore } from './postgres/use-postgres.ts';
import type { ClaimId } from './proves.ts';
import { folderInMemory } from './temporary-folder.ts';

export type Database = {
  /** Opens a store, as each process does. */
  open(options?: StoreOptions): Promise<Store>;
  /** Opens a second store on the same data. On SQLite it does not ask for the lock that a server has. */
  openBeside(): Promise<Store>;
  /** Runs SQL on the database beside the stores. */
  exec(sql: string): Promise<unknown>;
};

type OnStores = (title: string, body: (store: Store) => Promise<void>) => void;

/** Creates the test functions. Call it once in a test file. */
export function onEachEngine() {
  const onPostgres = useStore();
  const databasesOf = {
    'SQLite in a file': async () => sqliteInFile(),
    PostgreSQL: async (): Promise<Database> => {
      const { url, open, openBeside } = await onPostgres();
      return {
        open: (options) => (options?.onCommit ? openAt(url, options) : open(options)),
        openBeside,
        exec: (sql) => runOn(url, sql),
      };
    },
  };
  const engines = { memory: async () => ({ open: openMemory }), ...databasesOf };
  /** Runs the test on a store of each engine, opened with these options: without them it has an audit. */
  const on =
    (options?: StoreOptions): OnStores =>
    (title, body) => {
      for (const [name, start] of Object.entries(engines))
        test(`${title} (${name})`, async () => body(await (await start()).open(options)));
    };
  const each = on();
  /** Runs the test as well, and names what it shows as `proves` of `testing/proves.ts` does. */
  function proves(_ids: readonly (RequirementId | ClaimId)[], ...test: Parameters<OnStores>): void {
    each(...test);
  }
  /** Runs the test on each engine whose data outlives the store; `timeout` in ms, where it may take long. */
  function databases(title: string, body: (database: Database) => Promise<void>, timeout?: number): void {
    for (const [name, start] of Object.entries(databasesOf))
      test(`${title} (${name})`, async () => body(await start()), timeout);
  }
  return Object.assign(each, { with: on, proves, databases });
}

const openMemory: Database['open'] = async (options) => closedAtEnd(memoryStore(options));

function sqliteInFile(): Database {
  const file = join(folderInMemory(), 'ehr.sqlite');
  return {
    open: (options) => openAt(file, options),
    openBeside: async () => closedAtEnd(sqliteStore(openDatabase(file))),
    async exec(sql) {
      const db = openSqlite(file);
      try {
        db.exec(sql);
      } finally {
        db.close();
      }
    },
  };
}

async function openAt(
  database: string,
  { onCommit, ...options }: StoreOptions = { audit: true },
): Promise<Store> {
  return closedAtEnd(await openStore({ database, ...options }, onCommit ? { onCommit } : {}));
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
